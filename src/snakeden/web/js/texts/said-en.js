// What the server says of seats and colours by their numbers, told by the names of those who sit there.

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
};
