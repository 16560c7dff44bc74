import { expect, it } from 'vitest';
import { cover, isCovered, transformOf } from './sketch-cover.ts';

const size = { width: 1000, height: 800 };
const drawn = { x: -300, y: 120, zoom: 0.3 };

it('lies around the window where it was drawn', () => {
  expect(cover(size)).toEqual({ width: 1500, height: 1200, marginX: 250, marginY: 200 });
  expect(transformOf(drawn, drawn, size)).toEqual({ scale: 1, left: -250, top: -200 });
  expect(isCovered(drawn, drawn, size)).toBe(true);
});

it('shows every point of the map where the view has it', () => {
  const view = { x: -420, y: 200, zoom: 0.36 };
  const { scale, left, top } = transformOf(drawn, view, size);
  for (const [mapX, mapY] of [
    [0, 0],
    [1234, -567],
  ] as const) {
    const onPicture = [mapX * drawn.zoom + drawn.x + 250, mapY * drawn.zoom + drawn.y + 200] as const;
    expect(left + scale * onPicture[0]).toBeCloseTo(mapX * view.zoom + view.x, 6);
    expect(top + scale * onPicture[1]).toBeCloseTo(mapY * view.zoom + view.y, 6);
  }
});

it('no longer covers a view that leaves it, on any side', () => {
  for (const [x, y, covered] of [
    [249, 0, true],
    [-249, 0, true],
    [0, 199, true],
    [0, -199, true],
    [251, 0, false],
    [-251, 0, false],
    [0, 201, false],
    [0, -201, false],
  ] as const)
    expect(isCovered(drawn, { ...drawn, x: drawn.x + x, y: drawn.y + y }, size)).toBe(covered);
});

it('no longer covers what is enlarged or shrunk beyond recognition', () => {
  const zoomed = (zoom: number) => {
    // About the middle of the window, as the wheel does it.
    const scale = zoom / drawn.zoom;
    return { x: 500 - (500 - drawn.x) * scale, y: 400 - (400 - drawn.y) * scale, zoom };
  };
  expect(isCovered(drawn, zoomed(0.36), size)).toBe(true);
  expect(isCovered(drawn, zoomed(0.25), size)).toBe(true);
  expect(isCovered({ ...drawn, zoom: 0.2 }, { ...drawn, zoom: 0.4 }, size)).toBe(false);
  expect(isCovered(drawn, zoomed(0.19), size)).toBe(false);
});
