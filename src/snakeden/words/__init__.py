"""What is said to people: messages, and the catalogue of each language that words them.

A folder here is a language. Its JSON files hold templates by key: `tile_used` in `snekagon.json` is the key
`snekagon.tile_used`. In a template

| gap             | is filled with                                                                      |
| --------------- | ----------------------------------------------------------------------------------- |
| `{move}`        | the argument: a text as it is, a number as the language writes it, a message worded, |
|                 | a player's name, several of these as a list                                          |
| `{n:+}`         | the number with its sign                                                             |
| `{points:score}` | several numbers as a score, 5 : 4                                                   |
| `{scores:,}`    | several with commas between, where a list would end in "and"                         |
| `{n\\|part\\|parts}` | the form that goes with the number, in the order of CLDR's plural categories: one and |
|                 | other in English, one, few and other in Czech                                        |

The page words the same messages from the same files (`web/js/words.js`).
"""

from snakeden.words.catalogue import catalogue, languages, rules_file, rules_in_short, word
from snakeden.words.message import Message, Player, Text, from_data, to_data

__all__ = [
    "Message",
    "Player",
    "Text",
    "catalogue",
    "from_data",
    "languages",
    "rules_file",
    "rules_in_short",
    "to_data",
    "word",
]
