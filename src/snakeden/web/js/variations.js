// The moves of a game and what was tried beside it, as a tree. The game is what the first child of each node leads to.

/**
 * @typedef {import("./analysis.js").Ply} Ply
 * @typedef {object} Node a position, and the move that leads to it
 * @property {number} id
 * @property {string} move
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {Ply} [seen] what the engine thinks of the position
 * @property {string} [mark] how good the move is
 */

export class Tree {
  /** @param {string[]} moves the game's @param {string[]} lines what was tried: the number of moves before it, and its own */
  constructor(moves, lines) {
    this.made = 0;
    /** @type {Node} */
    this.root = { id: 0, move: "", parent: null, children: [] };
    this.follow(this.root, moves);
    const main = this.main();
    for (const line of lines) {
      const [at, tried] = line.split(": ");
      this.follow(main[Number(at)], tried.split(" "));
    }
  }

  /** @param {Node} node @param {string[]} moves @returns {Node} where they lead */
  follow(node, moves) {
    return moves.reduce((at, move) => this.play(at, move), node);
  }

  /** The position after a move; a new one is a variation, or goes on where nothing followed. @param {Node} node @param {string} move @returns {Node} */
  play(node, move) {
    const known = node.children.find((child) => child.move === move);
    if (known) return known;
    const made = { id: ++this.made, move, parent: node, children: [] };
    node.children.push(made);
    return made;
  }

  /** The positions of the game, from the first. @returns {Node[]} */
  main() {
    const found = [this.root];
    for (let node = this.root.children[0]; node; node = node.children[0]) found.push(node);
    return found;
  }

  /** The positions from the first to this. @param {Node} node @returns {Node[]} */
  path(node) {
    const found = [node];
    for (let at = node.parent; at; at = at.parent) found.unshift(at);
    return found;
  }

  /** The moves that lead to a position. @param {Node} node */
  moves(node) {
    return this.path(node).slice(1).map(({ move }) => move);
  }

  /** @param {Node} node */
  isMain(node) {
    return this.path(node).every(({ parent }, n, path) => !parent || parent.children[0] === path[n]);
  }

  /** Take a move and all that follows it out of the tree. @param {Node} node @returns {Node} what it followed */
  remove(node) {
    const parent = node.parent ?? node;
    parent.children = parent.children.filter((child) => child !== node);
    return parent;
  }

  /** Everything beside the game, a line for each end of a variation. @returns {string[]} */
  lines() {
    const main = this.main();
    /** @type {(node: Node) => Node[]} */
    const ends = (node) => (node.children.length ? node.children.flatMap(ends) : [node]);
    return ends(this.root).filter((end) => !main.includes(end)).map((end) => {
      const path = this.path(end);
      const at = path.findIndex((node) => !main.includes(node)) - 1;
      return `${at}: ${path.slice(at + 1).map(({ move }) => move).join(" ")}`;
    });
  }
}
