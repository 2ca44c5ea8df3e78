// Which legal moves fit what is pointed at. No rule is known here: the server has listed every legal move with the
// piece it takes and the places it touches, and this is looking things up in that list.

/**
 * @typedef {import("./shapes.js").Point} Point
 * @typedef {{move: string, places: string[], piece: string, turn: number, via: string[], label: string, angle: number,
 *   action: string, warning: string, trace: Point[]}} Target
 * @typedef {{id: string, label: string, icon: import("./icons.js").IconName, note?: string, ask?: string, main?: boolean}} Action
 * @typedef {{text?: string, steps?: string[], step?: number, actions?: Action[]}} Prompt
 * @typedef {{ids: string[], moves: any[][], prompt?: Prompt}} TargetData
 */

/** @param {TargetData | null} data @returns {Target[]} */
export function readTargets(data) {
  if (!data) return [];
  const names = (/** @type {number[]} */ numbers) => numbers.map((n) => data.ids[n]);
  const actions = data.prompt?.actions ?? [];
  return data.moves.map(([move, places, piece = -1, turn = 0, via = [], label = "", angle = 0, action = -1, warning = "", trace = []]) => ({
    move, places: names(places), piece: piece < 0 ? "" : data.ids[piece], turn, via: names(via), label, angle,
    action: actions[action]?.id ?? "", warning, trace,
  }));
}

/** Moves that are made by laying a piece. */
export class Held {
  /** @param {Target[]} targets */
  constructor(targets) {
    /** @type {Map<string, Map<number, Target[]>>} piece, then turn, to the moves */
    this.byPiece = new Map();
    for (const target of targets) {
      if (!target.piece) continue;
      const turns = this.byPiece.get(target.piece) ?? new Map();
      this.byPiece.set(target.piece, turns);
      turns.set(target.turn, [...(turns.get(target.turn) ?? []), target]);
    }
  }

  get pieces() {
    return [...this.byPiece.keys()];
  }

  /** Whether any of them covers several places: what covers one has no mirror image of its own. */
  get hasShapes() {
    return [...this.byPiece.values()].some((turns) => [...turns.values()].some(([target]) => target.places.length > 1));
  }

  /** @param {string} piece @returns {number[]} */
  turns(piece) {
    return [...(this.byPiece.get(piece)?.keys() ?? [])].sort((a, b) => a - b);
  }

  /** @param {string} piece @param {number} turn @returns {Target[]} */
  lying(piece, turn) {
    return this.byPiece.get(piece)?.get(turn) ?? [];
  }

  /** The place of a piece by which it is held: its middle. @param {string} piece @param {number} turn */
  handle(piece, turn) {
    return Math.floor(((this.lying(piece, turn)[0]?.places.length ?? 1) - 1) / 2);
  }

  /** The moves with this piece held over a place. @param {string} piece @param {number} turn @param {string} place */
  over(piece, turn, place) {
    const handle = this.handle(piece, turn);
    return this.lying(piece, turn).filter((target) => target.places[handle] === place);
  }
}

/** @param {Point[]} points */
const normal = (points) => {
  const x = points.reduce((sum, p) => sum + p[0], 0) / points.length;
  const y = points.reduce((sum, p) => sum + p[1], 0) / points.length;
  return points.map((p) => [Math.round((p[0] - x) * 50), Math.round((p[1] - y) * 50)].map((n) => n || 0).join(",")).sort().join(" ");
};

/** @param {Point[]} points @param {number} degrees @returns {Point[]} */
const rotated = (points, degrees) => {
  const [c, w] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return points.map(([x, y]) => [x * c - y * w, x * w + y * c]);
};

/**
 * The turn of a piece that looks like this one turned by the smallest angle there is (or mirrored); by its shape where
 * it covers several places, by number where it covers one.
 * @param {Held} held @param {string} piece @param {number} turn @param {1 | -1 | 0} way clockwise, back, or 0 to mirror
 * @param {(place: string) => Point | undefined} where
 * @returns {number} the same turn if there is no other
 */
export function turned(held, piece, turn, way, where) {
  const turns = held.turns(piece);
  const shape = (/** @type {number} */ one) =>
    /** @type {Point[]} */ ((held.lying(piece, one)[0]?.places ?? []).map(where).filter(Boolean));
  const own = shape(turn);
  if (own.length < 2) {
    if (way === 0) return turn;
    return turns[(turns.indexOf(turn) + way + turns.length) % turns.length] ?? turn;
  }
  const looks = new Map(turns.map((one) => [normal(shape(one)), one]));
  if (way === 0) {
    for (let angle = 0; angle < 360; angle += 30) {
      const found = looks.get(normal(rotated(own.map(([x, y]) => [-x, y]), angle)));
      if (found !== undefined) return found;
    }
    return turn;
  }
  for (let angle = 30; angle < 360; angle += 30) {
    const found = looks.get(normal(rotated(own, angle * way)));
    if (found !== undefined && found !== turn) return found;
  }
  return turn;
}

/** Moves that are made by choosing things: dice, a square, a line of a sheet. Things that look alike count as one. */
export class Choices {
  /** @param {Target[]} targets @param {(id: string) => string} kind what an id looks like */
  constructor(targets, kind) {
    this.kind = kind;
    this.targets = targets.filter((target) => !target.piece);
    this.sorts = this.targets.map((target) => target.places.map(kind).sort());
  }

  /** Whether a sorted list holds another. @param {string[]} more @param {string[]} less */
  static holds(more, less) {
    let at = 0;
    for (const one of more) if (one === less[at]) at++;
    return at === less.length;
  }

  /** The moves about exactly these things, and those about these and more. @param {string[]} chosen */
  fitting(chosen) {
    const wanted = chosen.map(this.kind).sort();
    /** @type {Target[]} */
    const exact = [];
    /** @type {Target[]} */
    const more = [];
    this.targets.forEach((target, i) => {
      if (!Choices.holds(this.sorts[i], wanted)) return;
      (this.sorts[i].length === wanted.length ? exact : more).push(target);
    });
    return { exact, more };
  }

  /**
   * The move that an action means with these things chosen: the one about exactly them. An action with a single move
   * needs no choice. @param {string} action @param {string[]} chosen @returns {Target | null}
   */
  meant(action, chosen) {
    const exact = this.fitting(chosen).exact.find((target) => target.action === action);
    if (exact) return exact;
    const own = this.targets.filter((target) => target.action === action);
    return own.length === 1 && !(chosen.length && own[0].places.length) ? own[0] : null;
  }

  /** Whether an action has a legal move. @param {string} action */
  possible(action) {
    return this.targets.some((target) => target.action === action);
  }

  /** Whether something can be chosen besides what is. @param {string[]} chosen @param {string} id */
  canAdd(chosen, id) {
    const wanted = [...chosen, id].map(this.kind).sort();
    return this.sorts.some((sort) => Choices.holds(sort, wanted));
  }
}

/** The cell that lies next in a direction: the nearest within sight. @param {{id: string, x: number, y: number}[]} cells
 * @param {string} from @param {number} dx @param {number} dy */
export function neighbour(cells, from, dx, dy) {
  const here = cells.find((cell) => cell.id === from);
  if (!here) return cells[0]?.id ?? "";
  let best = from;
  let least = Infinity;
  for (const cell of cells) {
    const [x, y] = [cell.x - here.x, cell.y - here.y];
    const along = x * dx + y * dy;
    const across = Math.abs(x * dy - y * dx);
    if (along < 0.2 || across > along * 0.9) continue;
    const far = along + across * 1.1 + (dy && x < 0 ? 0.001 : 0);
    if (far < least) [best, least] = [cell.id, far];
  }
  return best;
}
