import { type Command, Option } from 'commander';
import { THEME_NAMES } from '../../domain/palette.ts';
import { CELL_VALUES } from '../../figures/figureOptions.ts';
import { FIGURE_KINDS, PANEL_KEYS, PICTURE_FORMATS } from '../../figures/kinds.ts';
import { readConfig } from '../../flags/config.ts';
import {
  addPeriodOptions,
  addPlainSelectionOptions,
  addPresentationOptions,
  addQualityOption,
  addRequestOptions,
  CALM_OPTION,
  SECTOR_CHOICES,
} from '../../flags/options.ts';
import { formatNames } from '../../formats/index.ts';
import { addExamples, type DeclareCommand, HISTORY_ARGUMENT } from '../declaration.ts';
import { type PlotFlags, readPlotOptions } from './options.ts';
import { runPlot } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  command
    .argument(...HISTORY_ARGUMENT)
    .description(
      'Draws the wind of a period, or the wind now: in the terminal, or as an SVG, PNG or HTML file.',
    );
  addPeriodOptions(command, true, 'by --kind');
  addQualityOption(command)
    .optionsGroup('Picture:')
    .addOption(
      new Option(
        '--kind <kind>',
        'what to draw; without --start, the last day (series), 30 days (rose) or year (calendar, pattern); now is a dial of the latest measurement, e.g. rose',
      )
        .choices(FIGURE_KINDS)
        .default('series'),
    )
    .option(
      '--mark <speeds>',
      'draw lines at these speeds in a series (default: none), e.g. 15kn,25kn',
    )
    .option(
      '--where <condition>',
      "shade or count the times when this condition was true, draw a rose of only the readings for which it was, or colour the dial of now while it is true (default: none), e.g. 'avg in 12..25kn'",
    )
    .addOption(
      new Option(
        '--by <part>',
        'draw a rose or pattern in panels, one for each season or month of the year, over all years; without --start, the last year (default: one panel), e.g. season',
      ).choices(PANEL_KEYS),
    )
    .addOption(
      new Option(
        '--value <value>',
        'what a rose, calendar or pattern shows: the mean, the gust or (not in a rose) the hours in which --where was true (default: mean, or in a calendar or pattern with --where, hours), e.g. gust',
      ).choices(CELL_VALUES),
    )
    .addOption(
      new Option('--sectors <n>', 'number of sectors of a rose (default: 16), e.g. 8').choices(
        SECTOR_CHOICES,
      ),
    )
    .option(
      '--classes <speeds>',
      'lower bounds of the speed classes of a rose (default: Beaufort forces), e.g. 5,10,15,20',
    )
    .option(...CALM_OPTION)
    .addOption(
      new Option(
        '--theme <theme>',
        'light or dark background (default: both in svg and html, light in png, dark in a terminal), e.g. dark',
      ).choices(THEME_NAMES),
    )
    .option(
      '--width <px>',
      'width of an svg, png or html picture, 200 to 4000, or from 60 for now (default: by kind), e.g. 1200',
    )
    .option(
      '--height <px>',
      'height of an svg, png or html picture, 200 to 4000, or from 60 for now (default: as its panels need), e.g. 600',
    );
  addPlainSelectionOptions(command);
  addRequestOptions(command);
  command
    .optionsGroup('Output:')
    .addOption(
      new Option(
        '-f, --format <format>',
        'format of the picture (default: by the extension of --output, else terminal), e.g. svg',
      ).choices(formatNames(PICTURE_FORMATS)),
    )
    .option(
      '-o, --output <file>',
      'write to this file, which appears only when it is complete; - is stdout (default: -), e.g. wind.svg',
    );
  addPresentationOptions(command).action(async (stations: string[], _, self: Command) => {
    const flags = self.optsWithGlobals<PlotFlags>();
    await perform(readPlotOptions(stations, flags, readConfig(io), io), runPlot);
  });
  addExamples(
    command,
    'vane plot 110',
    "vane plot 110 --kind rose --by season --where 'hour in 10..18' -o rose.svg",
    'vane plot 110 --kind now --width 150 --knots -o now.png',
  );
};
