// What can be passed on: links for friends, the link to a game, its record, and one's own seat, to another device.

import { post } from "./api.js";
import { h } from "./dom.js";
import { seatName, t } from "./i18n.js";
import { icon } from "./icons.js";
import { pref } from "./prefs.js";
import { online } from "./transport.js";

/** Copy a text, also where the browser has no clipboard for a page that came over plain HTTP. @param {string} text */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = document.activeElement;
    const box = h("textarea", { class: "unseen", readonly: true }, text);
    document.body.append(box);
    box.select();
    const done = document.execCommand("copy");
    box.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return done;
  }
}

/** A button that copies something. @param {string} key @param {() => string} text @param {string} words */
export function copier(key, text, words) {
  const label = h("span", {}, words);
  return h("button", { type: "button", "data-key": key, click: async () => {
    if (await copied(text())) label.textContent = t("copied");
    else window.prompt(words, text());
  } }, icon("link"), label);
}

/** The menu of what can be shared of a game. @param {string} path the game's @param {any} state what the server says about it */
export function shareMenu(path, state) {
  const open = document.querySelector("details.share")?.hasAttribute("open") ?? false;
  return h("details", { class: "settings share", open },
    h("summary", { "data-key": "header/share" }, icon("share"), h("span", { class: "wide" }, t("shareMenu")), h("span", { class: "narrow unseen" }, t("shareMenu"))),
    h("div", { class: "menu" },
      online && copier("copy/game", () => new URL(`#/game/${state.id}`, location.href).href, t("share")),
      h("a", { class: "button", "data-key": "around/record", href: `${path}/record`, download: `${state.game}-${state.id}.txt` }, icon("download"), t("download")),
      online && state.you.length > 0 && state.status !== "over" && h("button", { type: "button", "data-key": "around/handover", "data-do": "handover", click: () => void handOver(path) }, icon("phone"), t("takeAlong"))));
}

/** Show, once, the link by which another device takes one's seat. @param {string} path the game's */
async function handOver(path) {
  const link = h("input", { readonly: true, "aria-label": t("takeAlong") });
  const place = h("div", { class: "handover", role: "status" }, t("preparing"));
  const dialog = h("dialog", { class: "keys", "aria-label": t("takeAlong"), close: () => dialog.remove() },
    h("h2", {}, t("takeAlong")), place, h("form", { method: "dialog" }, h("button", {}, t("close"))));
  document.querySelector("details.share")?.removeAttribute("open");
  document.body.append(dialog);
  dialog.showModal();
  try {
    const offer = await post(`${path}/handover`);
    link.value = new URL(offer.path, location.href).href;
    const copy = copier("copy/handover", () => link.value, t("copyLink"));
    copy.classList.add("main");
    place.replaceChildren(
      h("p", {}, t("takeAlongHow", { n: Math.round(offer.seconds / 60) })),
      h("img", { class: "qr", src: offer.picture, alt: t("qrCode"), width: 220, height: 220 }),
      link, copy);
  } catch (error) {
    place.replaceChildren(h("p", { class: "alert", role: "alert" }, error instanceof Error ? error.message : ""));
  }
}

/**
 * Links for the seats that wait for a friend.
 * @param {string} path the game's @param {any} state what the server says about it @param {(reason: string) => void} fail
 */
export function invitations(path, state, fail) {
  if (state.status !== "waiting") return [];
  const kept = JSON.parse(pref(`invitations.${state.id}`, "[]"));
  const maker = state.you.some((/** @type {number} */ seat) => state.seats[seat].kind === "me");
  const open = state.seats.some((/** @type {any} */ seat) => !seat.taken && seat.kind === "open");
  const links = state.seats.flatMap((/** @type {any} */ seat, /** @type {number} */ n) => (!seat.taken && seat.kind === "link" && maker
    ? [invitation(path, seat, n, kept.find((/** @type {any} */ one) => one.seat === n)?.path, fail)] : []));
  return open ? [h("div", { class: "invitation" }, ...linkTo(`#/join/${state.id}`, "open", t("anyone"))), ...links] : links;
}

/** A link to send, and a button that copies it. @param {string} where @param {string | number} key @param {string} words */
function linkTo(where, key, words) {
  const input = h("input", { readonly: true, value: new URL(where, location.href).href, "aria-label": words, "data-key": `link/${key}` });
  const copy = copier(`copy/${key}`, () => input.value, t("copyLink"));
  copy.classList.add("main");
  return [h("p", {}, words), input, copy];
}

/** @param {string} path @param {any} seat @param {number} n @param {string | undefined} known where the link leads, if it was made here @param {(reason: string) => void} fail */
function invitation(path, seat, n, known, fail) {
  const box = h("div", { class: "invitation" });
  const name = seatName(seat, n);
  const show = (/** @type {string} */ where) => box.replaceChildren(...linkTo(where, n, t("sendLink", { name })));
  if (known) show(known);
  else {
    // Who has played with them knows them by name.
    if (seat.name) box.append(h("p", {}, t("askedAgain", { name })));
    box.append(h("button", {
      type: "button", "data-key": `invite/${n}`, click: () => void post(`${path}/invite`, { seat: n }).then((made) => show(made.path), (error) => fail(error.message)),
    }, t("newLink", { name })));
  }
  return box;
}
