// When figures of the wallboard are coloured: from a first threshold on as a warning, from a second one on as critical.

export interface WallboardThresholds {
  /** Callers in a queue. */
  readonly waiting_warning: number;
  readonly waiting_critical: number;
  /** The wait of the caller who waits longest. */
  readonly wait_warning_seconds: number;
  readonly wait_critical_seconds: number;
  /** Percent of callers; a lower one is worse. */
  readonly service_level_warning: number;
  readonly service_level_critical: number;
  /** Percent of callers who gave up. */
  readonly abandoned_warning: number;
  readonly abandoned_critical: number;
}

export const DEFAULT_THRESHOLDS: WallboardThresholds = {
  waiting_warning: 3,
  waiting_critical: 6,
  wait_warning_seconds: 60,
  wait_critical_seconds: 180,
  service_level_warning: 80,
  service_level_critical: 60,
  abandoned_warning: 5,
  abandoned_critical: 10,
};

export type Level = 'normal' | 'warning' | 'critical';

/** A figure that is worse the higher it is. A threshold of 0 is never reached. */
export function levelAbove(value: number, warning: number, critical: number): Level {
  if (critical > 0 && value >= critical) return 'critical';
  return warning > 0 && value >= warning ? 'warning' : 'normal';
}

/** One that is worse the lower it is. */
export function levelBelow(value: number, warning: number, critical: number): Level {
  if (value < critical) return 'critical';
  return value < warning ? 'warning' : 'normal';
}
