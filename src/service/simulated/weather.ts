import { RADIANS_PER_DEGREE } from '../../domain/compass.ts';
import type { Position } from '../../domain/station.ts';
import { volumeNoise } from './noise.ts';

/** The properties of a site that shape its wind. */
export interface SiteClimate {
  readonly position: Position;
  /** The site's wind by day relative to open ground; above 1 on crests and capes. */
  readonly exposure: number;
  /** The share of the daytime wind that remains on calm nights, when cold air shields valleys. */
  readonly nightShare: number;
  /** Speed of the valley or sea breeze while the sun is in the zenith, km/h. */
  readonly breezeKmh: number;
  /** The direction the breeze comes from, degrees. */
  readonly breezeFromDeg: number;
  /** Roughness length of the ground upwind in metres, from 0.0002 for the sea to 1 for a forest. */
  readonly roughnessM: number;
}

/** The kind of ground at a station. */
export type Landform = keyof typeof LANDFORM_CLIMATES;

/** The climate of each kind of ground, without position and direction of the breeze. */
export const LANDFORM_CLIMATES = {
  pass: { exposure: 1.0, nightShare: 0.8, breezeKmh: 20, roughnessM: 0.1 },
  crest: { exposure: 1.25, nightShare: 1, breezeKmh: 6, roughnessM: 0.05 },
  valley: { exposure: 0.5, nightShare: 0.15, breezeKmh: 30, roughnessM: 0.5 },
  plain: { exposure: 0.75, nightShare: 0.4, breezeKmh: 8, roughnessM: 0.1 },
  beach: { exposure: 1.0, nightShare: 0.7, breezeKmh: 26, roughnessM: 0.01 },
  cape: { exposure: 1.2, nightShare: 1, breezeKmh: 16, roughnessM: 0.005 },
} satisfies Record<string, Omit<SiteClimate, 'position' | 'breezeFromDeg'>>;

/** Velocity of the air to the east and north, km/h. */
export interface WindVelocity {
  readonly eastKmh: number;
  readonly northKmh: number;
}

const TROPICAL_YEAR_DAYS = 365.2422;
const EARTH_TILT_DEG = 23.44;
/** Days from the winter solstice to the new year. */
const SOLSTICE_BEFORE_NEW_YEAR_DAYS = 10;
/**
 * How long the breeze follows the sun, since the ground must warm up. It peaks in mid-afternoon.
 */
const BREEZE_LAG_DAYS = 2 / 24;

/** Lows and highs are about 1,000 km wide, change within days and drift east. */
const SYSTEM_DEG = 12;
const SYSTEM_DAYS = 3;
const DRIFT_DEG_PER_DAY = 6;
/** Size, duration and relative strength of fronts and troughs. */
const FRONT_DEG = 4;
const FRONT_DAYS = 1;
const FRONT_SHARE = 0.5;

/** The wind speed over open ground in average weather. */
const FREE_WIND_KMH = 24;
/** The wind is multiplied by e^STORMINESS in a stormy week, and divided by it in a quiet one. */
const STORMINESS = 0.7;
/**
 * How much the wind in winter exceeds its yearly mean, as a share. Pressure gradients are stronger
 * then.
 */
const WINTER_EXCESS = 0.3;
/** A wind of this speed over open ground reaches valley floors even at night. */
const MIXING_KMH = 70;

const [EAST, NORTH, STORM] = [101, 202, 303];

/**
 * The mean surface wind of a site in one hour: the part of the free wind that reaches the ground,
 * plus the breeze that the sun drives. The free wind is smooth noise over the Earth and time.
 * @param hour whole hours since 1970, UTC
 */
export function surfaceWind(climate: SiteClimate, hour: number): WindVelocity {
  const { position, exposure, nightShare, breezeKmh, breezeFromDeg } = climate;
  const days = hour / 24;
  const storm = systems(STORM, position, days);
  const freeKmh =
    FREE_WIND_KMH * Math.exp(STORMINESS * storm) * winterFactor(position.latitude, days);
  const east = freeKmh * (prevailing(position.latitude) + gradient(EAST, position, days));
  const north = freeKmh * gradient(NORTH, position, days);

  const sun = Math.max(0, sunHeight(position, days - BREEZE_LAG_DAYS));
  const mixing = Math.min(1, 2 * sun + (Math.hypot(east, north) / MIXING_KMH) ** 2);
  const share = exposure * (nightShare + (1 - nightShare) * mixing);
  // Stormy weather is cloudy, which weakens the breeze.
  const breeze = breezeKmh * sun * Math.min(1, Math.max(0, 0.8 - storm));
  return {
    eastKmh: share * east - breeze * Math.sin(breezeFromDeg * RADIANS_PER_DEGREE),
    northKmh: share * north - breeze * Math.cos(breezeFromDeg * RADIANS_PER_DEGREE),
  };
}

function systems(seed: number, { latitude, longitude }: Position, days: number): number {
  const x = (longitude - DRIFT_DEG_PER_DAY * days) / SYSTEM_DEG;
  return volumeNoise(seed, x, latitude / SYSTEM_DEG, days / SYSTEM_DAYS, 360 / SYSTEM_DEG);
}

function gradient(seed: number, position: Position, days: number): number {
  const x = (position.longitude - DRIFT_DEG_PER_DAY * days) / FRONT_DEG;
  const y = position.latitude / FRONT_DEG;
  const front = volumeNoise(seed + 1, x, y, days / FRONT_DAYS, 360 / FRONT_DEG);
  return systems(seed, position, days) + FRONT_SHARE * front;
}

/**
 * The eastward wind that prevails at a latitude: trade winds from the east up to 30° (down to
 * −0.4), westerlies beyond (up to 0.4).
 */
function prevailing(latitude: number): number {
  return -0.4 * Math.cos(latitude * 3 * RADIANS_PER_DEGREE);
}

/**
 * The factor of the season: 1 ± WINTER_EXCESS, highest in January in the north and in July in the
 * south.
 */
function winterFactor(latitude: number, days: number): number {
  const northernWinter = Math.cos((2 * Math.PI * (days - 15)) / TROPICAL_YEAR_DAYS);
  return 1 + WINTER_EXCESS * northernWinter * Math.sign(latitude);
}

/**
 * The sine of the sun's elevation, −1 to 1, from the declination of a circular orbit (within 1°)
 * and local mean solar time.
 */
function sunHeight({ latitude, longitude }: Position, days: number): number {
  const sinceSolstice = (days + SOLSTICE_BEFORE_NEW_YEAR_DAYS) / TROPICAL_YEAR_DAYS;
  const declination = -EARTH_TILT_DEG * RADIANS_PER_DEGREE * Math.cos(2 * Math.PI * sinceSolstice);
  const hourAngle = 2 * Math.PI * (days + longitude / 360 - 0.5);
  const phi = latitude * RADIANS_PER_DEGREE;
  return (
    Math.sin(phi) * Math.sin(declination) +
    Math.cos(phi) * Math.cos(declination) * Math.cos(hourAngle)
  );
}
