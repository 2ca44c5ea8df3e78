"""What holds for all tests."""

from contextlib import suppress

# Environments for other people's clients have no Hypothesis.
with suppress(ImportError):
    from hypothesis import settings

    # The same examples in every run: what fails fails for everybody, and never by chance.
    settings.register_profile("steady", derandomize=True, deadline=None)
    settings.load_profile("steady")
