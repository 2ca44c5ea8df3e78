// What the server says by numbers and in notation, told by names and in words.

/** @type {import("./phrases.js").Sentences} */
export default {
  "it is not your turn: seat {seat:seat} is to move": "it is not your turn: {seat} is to move",
  "seat {seat:seat} has already asked to take a move back; answer that first": "{seat} has already asked to take a move back; answer that first",
  "seat {seat:seat} is not yours": "the place of {seat} is not yours",
  "seat {seat:seat} is not waiting for somebody with a link": "the place of {seat} is not waiting for somebody with a link",
  "{move:code}: seat {seat:seat} starts there already": "{move}: {seat} starts there already",
  "{move:code}: {one:said} and {other:said} would be joined through {squares}": "{move}: {one} and {other} would be joined through {squares}",
  "{move:code}: {square:code} would be crowded: both ends of {one:said} and of {other:said} would come to it round a corner, and {lacking:said}, next to move of the two, has no curve left":
    "{move}: {square} would be crowded: both ends of {one} and of {other} would come to it round a corner, and {lacking}, next to move of the two, has no curve left",
  "{move:code}: {square:code} would be crowded: {snakes:list} would all reach it, and at most two snakes may":
    "{move}: {square} would be crowded: {snakes} would all reach it, and at most two snakes may",
  "your snake": "your snake",
  "your snake (colour {n})": "your snake (colour {n})",
  "the snake of seat {seat:seat}": "the snake of {seat}",
  "the snake of seat {seat:seat} (colour {n})": "the snake of {seat} (colour {n})",
  "the fence": "the fence",
  // moves that are written in words
  "dice:{faces:code}": "dice {faces}",
  "square:{at:code}": "square {at}",
  "start:{at:code}:up": "start at {at}, up",
  "start:{at:code}:right": "start at {at}, right",
  "start:{at:code}:down": "start at {at}, down",
  "start:{at:code}:left": "start at {at}, left",
  "reroll:{faces:code}": "reroll {faces}",
  "reroll!:{faces:code}": "reroll {faces}, one-time",
  "flip:{face:code}": "flip {face}",
  "unlock!": "unlock, one-time",
  "ignore:": "ignore none",
  "ignore:{faces:code}": "ignore {faces}",
  "bonus:{kind:code}": "take one {kind}",
  "use:1": "forward (1)",
  "use:2": "forward (2)",
  "use:3": "left (3)",
  "use:4": "right (4)",
  "use:5L": "left (5)",
  "use:5R": "right (5)",
  "use:6": "blockades (6)",
  "level:{track:code}": "raise {track}",
  "end": "end the turn",
};
