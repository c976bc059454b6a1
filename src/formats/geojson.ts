import { positionOf } from '../domain/station.ts';
import { convertAndNameStation } from './convert.ts';
import type { StationFormat } from './format.ts';
import { escapeControls } from './json.ts';

/**
 * Stations as a GeoJSON FeatureCollection of points (RFC 7946): longitude comes first, a station
 * without a position has the geometry null, and the terms of use are foreign members of the
 * collection (section 6.1).
 */
export const geojson: StationFormat = {
  *stations(list) {
    const lines = list.stations.map((selected) => {
      const position = positionOf(selected.station);
      const { id, ...properties } = convertAndNameStation(selected, list);
      const geometry = position
        ? { type: 'Point', coordinates: [position.longitude, position.latitude] }
        : null;
      return JSON.stringify({ type: 'Feature', id, geometry, properties });
    });
    const { license, attribution } = list.provenance;
    const head = JSON.stringify({ type: 'FeatureCollection', license, attribution });
    yield escapeControls(`${head.slice(0, -1)},"features":[\n${lines.join(',\n')}\n]}\n`);
  },
};
