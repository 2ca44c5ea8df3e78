# The server with its page. `docker build -t snakeden .`, or with a database of its own: `docker compose up`.
FROM python:3.12-slim AS program

WORKDIR /app
COPY pyproject.toml README.md LICENSE requirements.lock ./
# Exactly the packages that requirements.lock names, and only if their hashes fit; `make lock` brings it up to date.
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY src ./src
RUN pip install --no-cache-dir --no-deps .

# The engine for pages is built with Node, which the image itself does not have.
FROM node:22-slim AS packages
WORKDIR /app
COPY tools/page/package.json tools/page/package-lock.json ./
RUN npm ci --omit=dev

FROM program AS pages
COPY --from=node:22-slim /usr/local/bin/node /usr/local/bin/
COPY tools ./tools
COPY --from=packages /app/node_modules ./tools/page/node_modules
RUN python tools/site.py

FROM program
COPY --from=pages /app/build/snakeden/python ./engine
RUN useradd --create-home snakeden && install -d -o snakeden /data
USER snakeden
# Programs are compiled once, here, not beside the first players' games.
RUN for game in $(python -c "import snakeden; print(*snakeden.games())"); do python -m snakeden.programs.compile play "$game"; done

ENV SNAKEDEN_DATABASE=sqlite:////data/games.sqlite
VOLUME /data
EXPOSE 8330
HEALTHCHECK CMD python -c "import urllib.request; urllib.request.urlopen('http://localhost:8330/healthz', timeout=12)"
ENTRYPOINT ["snakeden", "serve", "--host=0.0.0.0", "--port=8330", "--log=info", "--engine-files=/app/engine"]
