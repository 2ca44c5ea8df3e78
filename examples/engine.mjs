// A thirty-line engine for the arena, in JavaScript: it plays the longest move that it is offered.
//
//   snakeden arena greedy "engine:node examples/engine.mjs" --game snekagon --games 20
//
// It knows no rules: `go` lists the legal moves behind `searchmoves`. See docs/engines.md.
import { createInterface } from "node:readline";

const say = (line) => process.stdout.write(line + "\n");

/** The move with the most cells, the first of them if there are several. */
const longest = (moves) =>
  moves.reduce((best, move) => (move.split("-").length > best.split("-").length ? move : best));

const answers = {
  ugi: () => ["id name Longest", "id author The Snakeden developers", "ugiok"],
  isready: () => ["readyok"],
  go: (words) => {
    const listed = words.indexOf("searchmoves");
    return [`bestmove ${listed < 0 ? "none" : longest(words.slice(listed + 1))}`];
  },
  quit: () => process.exit(0),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [command, ...words] = line.trim().split(/\s+/);
  // setoption, uginewgame and position need no answer: the moves listed are all this engine looks at.
  for (const answer of answers[command]?.(words) ?? []) say(answer);
}
