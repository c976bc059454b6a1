import type { Position } from '../../domain/station.ts';
import type { Climate } from './weather.ts';

/** Kind of ground that a station stands on, which determines its name and climate. */
export type Landform = 'pass' | 'crest' | 'valley' | 'plain' | 'beach' | 'cape';

export const GROUNDS: Readonly<Record<Landform, Omit<Climate, 'position' | 'breezeFromDeg'>>> = {
  pass: { exposure: 1.0, nightShare: 0.8, breezeKmh: 20, roughnessM: 0.1 },
  crest: { exposure: 1.25, nightShare: 1, breezeKmh: 6, roughnessM: 0.05 },
  valley: { exposure: 0.5, nightShare: 0.15, breezeKmh: 30, roughnessM: 0.5 },
  plain: { exposure: 0.75, nightShare: 0.4, breezeKmh: 8, roughnessM: 0.1 },
  beach: { exposure: 1.0, nightShare: 0.7, breezeKmh: 26, roughnessM: 0.01 },
  cape: { exposure: 1.2, nightShare: 1, breezeKmh: 16, roughnessM: 0.005 },
};

/** The words of one language for invented station names. */
interface Language {
  readonly join: (landform: string, place: string) => string;
  readonly landforms: Readonly<Record<Landform, readonly string[]>>;
  readonly places: readonly string[];
}

const FRENCH: Language = {
  join: (landform, place) => `${landform} ${place}`,
  landforms: {
    pass: ['Col', 'Pas', 'Collet', 'Brèche'],
    crest: ['Crêt', 'Mont', 'Aiguille', 'Crête'],
    valley: ['Vallon', 'Combe', 'Lac', 'Gorge'],
    plain: ['Plaine', 'Plateau', 'Champ', 'Pré'],
    beach: ['Plage', 'Anse', 'Dune', 'Grève'],
    cape: ['Cap', 'Pointe', 'Phare', 'Roche'],
  },
  places: (
    'de la Bise,des Choucas,du Vent Perdu,des Sternes,de la Girouette,des Embruns,du Milan Noir,' +
    'des Trois Nuages,de la Rafale,du Cerf-Volant,des Genêts,de la Brume,du Vieux Mât,de la Lune,' +
    "des Hirondelles,du Grand Calme,de la Voile Rouge,du Goéland,des Ormeaux,de l'Éclaircie," +
    'du Renard,des Chardons,du Tonnerre,des Galets Bleus,de la Mouette,du Sifflet,des Aulnes,' +
    'du Chapeau Envolé,de la Grande Ourse,des Quatre Vents,du Silence,de la Sœur Cadette'
  ).split(','),
};

const GERMAN: Language = {
  join: (landform, place) => `${place}${landform}`,
  landforms: {
    pass: ['joch', 'sattel', 'lücke'],
    crest: ['horn', 'spitze', 'grat'],
    valley: ['tal', 'see', 'kessel'],
    plain: ['feld', 'wiese', 'moos'],
    beach: ['strand', 'bucht', 'düne'],
    cape: ['kap', 'huk', 'leuchtturm'],
  },
  places:
    'Nebel,Föhn,Dohlen,Sturm,Silber,Wolken,Adler,Drachen,Stein,Murmel,Wetter,Hexen,Grün,Möwen'.split(
      ',',
    ),
};

const SPANISH: Language = {
  join: (landform, place) => `${landform} ${place}`,
  landforms: {
    pass: ['Paso', 'Puerto'],
    crest: ['Pico', 'Cerro'],
    valley: ['Valle', 'Barranco'],
    plain: ['Llano', 'Campo'],
    beach: ['Playa', 'Caleta'],
    cape: ['Punta', 'Faro'],
  },
  places: (
    'de las Gaviotas,del Levante,del Poniente,de la Vela,del Sueño,de las Nubes,del Cometa,' +
    'de la Sirena,del Viento Viejo,de los Delfines,de la Calma'
  ).split(','),
};

const ENGLISH: Language = {
  join: (landform, place) => `${place} ${landform}`,
  landforms: {
    pass: ['Pass', 'Gap'],
    crest: ['Ridge', 'Hill'],
    valley: ['Glen', 'Lake'],
    plain: ['Field', 'Flats'],
    beach: ['Beach', 'Bay'],
    cape: ['Point', 'Head'],
  },
  places: (
    'Gannet,Kite,Whistling,Slate,Foghorn,Petrel,Long,Windsock,Halyard,Driftwood,Heron,Thistle,' +
    'Puffin,Lantern'
  ).split(','),
};

/** Invents the name of a simulated station: a word for its terrain, then one for its place. */
export function inventName({ language }: Region, landform: Landform, draw: () => number): string {
  const word = pick(language.landforms[landform], draw());
  return language.join(word, pick(language.places, draw()));
}

export interface Region {
  /** Weight of the region: how many stations it has, relative to the other regions. */
  readonly share: number;
  readonly language: Language;
  readonly landforms: readonly Landform[];
  /** Bounds of the region in degrees; `east` is over 180 for a region across the antimeridian. */
  readonly bounds: readonly [south: number, north: number, west: number, east: number];
}

const INLAND = ['pass', 'crest', 'valley', 'plain'] as const;
const COAST = ['beach', 'cape', 'plain'] as const;
const ISLAND = ['beach', 'cape', 'crest'] as const;

function region(
  share: number,
  language: Language,
  landforms: readonly Landform[],
  bounds: Region['bounds'],
): Region {
  return { share, language, landforms, bounds };
}

/** Regions of the simulated stations: mostly the Alps, France and the coasts of Europe. */
const REGIONS: readonly Region[] = [
  region(20, FRENCH, INLAND, [44.2, 46.4, 5.6, 7.0]), // French Alps
  region(6, FRENCH, INLAND, [46.4, 48.2, 5.8, 7.2]), // Jura and Vosges
  region(6, FRENCH, INLAND, [44.2, 45.8, 2.4, 3.9]), // Massif Central
  region(5, FRENCH, INLAND, [42.5, 43.1, -1.2, 2.4]), // Pyrenees
  region(8, FRENCH, COAST, [47.6, 48.8, -4.6, -2.2]), // Brittany
  region(5, FRENCH, COAST, [49.3, 50.9, -1.4, 1.7]), // Channel
  region(4, FRENCH, COAST, [43.5, 46.2, -1.5, -1.1]), // Bay of Biscay
  region(7, FRENCH, COAST, [43.0, 43.6, 3.1, 6.8]), // Mediterranean
  region(14, GERMAN, INLAND, [46.5, 47.6, 7.5, 13.5]), // Swiss and Austrian Alps
  region(4, GERMAN, COAST, [53.5, 54.6, 7.0, 13.5]), // North Sea and Baltic
  region(5, ENGLISH, COAST, [51.5, 57.5, -9.0, -3.5]), // Ireland and Scotland
  region(3, SPANISH, COAST, [36.0, 37.0, -6.4, -4.5]), // Strait of Gibraltar
  region(2, SPANISH, ISLAND, [27.8, 29.0, -18.0, -13.6]), // Canary Islands
  region(1, SPANISH, COAST, [-33.5, -30.0, -71.7, -71.4]), // Chile
  region(1, FRENCH, COAST, [46.8, 48.0, -71.0, -69.0]), // Québec
  region(2, ENGLISH, INLAND, [45.5, 46.0, -123.0, -120.5]), // Oregon
  region(2, ENGLISH, COAST, [-34.3, -32.5, 18.0, 19.0]), // South Africa
  region(2, FRENCH, ISLAND, [-21.3, -20.9, 55.3, 55.8]), // Réunion
  region(1, FRENCH, ISLAND, [-22.3, -20.5, 164.5, 167.0]), // New Caledonia
  region(2, ENGLISH, ISLAND, [-18.0, -16.0, 178.5, 181.0]), // Fiji, both sides of 180°
];

/** Each region repeated as often as its share, so that a random pick follows the shares. */
export const REGION_LOTS = REGIONS.flatMap((region) => Array<Region>(region.share).fill(region));

/** A random position in a region, with the 6 decimals that stations report. */
export function drawPlace({ bounds }: Region, draw: () => number): Position {
  const [south, north, west, east] = bounds;
  const round6 = (deg: number): number => Math.round(deg * 1e6) / 1e6;
  const latitude = round6(south + (north - south) * draw());
  const longitude = round6(west + (east - west) * draw());
  return { latitude, longitude: longitude > 180 ? round6(longitude - 360) : longitude };
}

/** The item of a list that lies at a fraction (0 up to 1) of its length. */
export function pick<T>(list: readonly T[], fraction: number): T {
  return list[Math.floor(fraction * list.length)] as T;
}
