import { positionOf } from '../domain/station.ts';
import { escapeControls } from './controls.ts';
import { convertAndNameStation, roundDistanceKm } from './convert.ts';
import type { StationFormat } from './format.ts';

/**
 * Stations as a FeatureCollection of points (RFC 7946): longitude first, a null geometry for a
 * station without a position, the terms of use as foreign members of the collection (6.1).
 */
export const geojson: StationFormat = {
  *stations(list) {
    const features = list.stations.map(({ station, distanceKm }) => {
      const position = positionOf(station);
      const { id, ...properties } = convertAndNameStation(station, list);
      return {
        type: 'Feature',
        id,
        geometry: position && {
          type: 'Point',
          coordinates: [position.longitude, position.latitude],
        },
        properties: {
          ...properties,
          ...(distanceKm !== undefined && { distance_km: roundDistanceKm(distanceKm) }),
        },
      };
    });
    const { license, attribution } = list.provenance;
    const head = JSON.stringify({ type: 'FeatureCollection', license, attribution });
    const lines = features.map((feature) =>
      JSON.stringify({ ...feature, geometry: feature.geometry ?? null }),
    );
    yield escapeControls(`${head.slice(0, -1)},"features":[\n${lines.join(',\n')}\n]}\n`);
  },
};
