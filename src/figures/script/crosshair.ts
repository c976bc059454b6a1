// A crosshair for pictures of a series: shows the reading below the pointer, or moves with the
// arrow keys. It finds the readings by the picture's invisible rectangles, whose tooltips work
// without this script.

interface Point {
  readonly from: number;
  readonly to: number;
  readonly time: string;
  readonly values: string;
}

const create = (parent: Element, className: string): HTMLElement => {
  const element = document.createElement('div');
  element.className = className;
  parent.append(element);
  return element;
};

const pointOf = (rect: SVGRectElement): Point => {
  const [from, width] = [rect.x.baseVal.value, rect.width.baseVal.value];
  const text = rect.textContent ?? '';
  const cut = text.indexOf(': ');
  return { from, to: from + width, time: text.slice(0, cut), values: text.slice(cut + 2) };
};

/** Adds an area over the plot of one station that follows the pointer and keys. */
function follow(picture: Element, { width, height }: DOMRect, rects: readonly SVGRectElement[]) {
  const points = rects.map(pointOf);
  const [{ y, height: high }] = rects as [SVGRectElement];
  const left = (points[0] as Point).from;
  const wide = (points.at(-1) as Point).to - left;
  const area = create(picture, 'area');
  const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`;
  Object.assign(area.style, {
    left: percent(left, width),
    top: percent(y.baseVal.value, height),
    width: percent(wide, width),
    height: percent(high.baseVal.value, height),
  });
  const [line, note] = [create(area, 'line'), create(area, 'note')];
  let at = points.length - 1;

  const show = (place: number): void => {
    at = Math.max(0, Math.min(points.length - 1, place));
    const { from, to, time, values } = points[at] as Point;
    const middle = (from + to) / 2 - left;
    line.style.left = percent(middle, wide);
    const isRight = middle > wide / 2;
    note.style.left = isRight ? 'auto' : percent(middle, wide);
    note.style.right = isRight ? percent(wide - middle, wide) : 'auto';
    const strong = document.createElement('b');
    strong.textContent = time;
    note.replaceChildren(strong, document.createElement('br'), values);
    area.ariaValueNow = String(at);
    area.ariaValueText = `${time}: ${values}`;
    area.classList.add('on');
  };
  const hide = (): void => area.classList.remove('on');
  const showBelow = ({ clientX }: PointerEvent): void => {
    const box = area.getBoundingClientRect();
    const x = left + ((clientX - box.left) / box.width) * wide;
    const next = points.findIndex(({ to }) => to > x);
    show(next === -1 ? points.length - 1 : next);
  };

  Object.assign(area, { tabIndex: 0, role: 'slider', ariaLabel: 'Reading', ariaValueMin: '0' });
  area.ariaValueMax = String(at);
  show(at);
  hide();
  const far = Math.ceil(points.length / 10);
  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
    ...{ PageDown: -far, PageUp: far, Home: Number.NEGATIVE_INFINITY, End: points.length },
  };
  area.addEventListener('pointermove', showBelow);
  area.addEventListener('pointerdown', showBelow);
  // Keep the reading on the screen when a finger is lifted.
  area.addEventListener('pointerleave', ({ pointerType }) => {
    if (pointerType === 'mouse') hide();
  });
  area.addEventListener('focus', () => show(at));
  area.addEventListener('blur', hide);
  area.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (event.key === 'Escape') hide();
    if (step === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    show(at + step);
  });
}

for (const picture of document.querySelectorAll('.picture')) {
  const svg = picture.querySelector('svg') as SVGSVGElement;
  const rects = [...svg.querySelectorAll<SVGRectElement>('rect[data-panel]')];
  for (const panel of new Set(rects.map(({ dataset }) => dataset.panel))) {
    const own = rects.filter(({ dataset }) => dataset.panel === panel);
    follow(picture, svg.viewBox.baseVal, own);
  }
}
