// The dark modules of a QR code as one path: a rectangle for each run in a row, so that a code is one element.

export function qrPath(rows: readonly (readonly boolean[])[]): string {
  let path = '';
  for (const [y, row] of rows.entries()) {
    let x = 0;
    while (x < row.length) {
      if (!row[x]) {
        x += 1;
        continue;
      }
      const start = x;
      while (x < row.length && row[x]) x += 1;
      path += `M${start} ${y}h${x - start}v1h-${x - start}z`;
    }
  }
  return path;
}

/** A light edge of four modules around it, which readers need (ISO/IEC 18004). */
export const QUIET = 4;
