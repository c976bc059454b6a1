# Completions of vane for PowerShell, written by: vane completion powershell

Register-ArgumentCompleter -Native -CommandName 'vane' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # Each command: the commands below it, what is given to it, and its options by their names.
  $commands = @{
    'vane' = @{
      Commands = @(
        @{ Name = 'live'; Path = 'vane live'; Summary = 'latest measurements' }
        @{ Name = 'meta'; Path = 'vane meta'; Summary = 'descriptions, pictures, votes and dates' }
        @{ Name = 'archive'; Path = 'vane archive'; Summary = 'history over any period' }
        @{ Name = 'watch'; Path = 'vane watch'; Summary = 'the wind as it changes, and alarms' }
        @{ Name = 'serve'; Path = 'vane serve'; Summary = 'a station service, or the cache in front of one' }
        @{ Name = 'cache'; Path = 'vane cache'; Summary = 'the cache of answers' }
        @{ Name = 'completion'; Path = 'vane completion'; Summary = 'completions for a shell' }
        @{ Name = 'config'; Path = 'vane config'; Summary = 'your default values, and names for stations' }
        @{ Name = 'help'; Path = 'vane help'; Summary = 'print help for a command' }
      )
      Positionals = @()
      Options = @()
    }
    'vane live' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $true; Values = @{ Kind = 'stations' } }
      )
      Options = @(
        @{ Name = '--name'; Rivals = @('--name'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations whose name holds a text, case and accents aside' }
        @{ Name = '--near'; Rivals = @('--near'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'sort by distance from a place, in degrees' }
        @{ Name = '--radius'; Rivals = @('--radius'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'with --near: stations at most so far away, in km, nm or mi' }
        @{ Name = '--bbox'; Rivals = @('--bbox'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations in a box, in degrees' }
        @{ Name = '--state'; Rivals = @('--state'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('on', 'off', 'unknown') }; Summary = 'stations in a power state' }
        @{ Name = '--max-age'; Rivals = @('--max-age'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations measured at most so long ago' }
        @{ Name = '--where'; Rivals = @('--where'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations where a condition holds now, as in watch --when' }
        @{ Name = '--sort'; Rivals = @('--sort'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('id', 'name', 'avg', 'gust', 'lull', 'age', 'distance', 'signal') }; Summary = 'order: strongest wind, youngest, nearest or best signal first' }
        @{ Name = '--limit'; Rivals = @('--limit'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'at most so many stations' }
        @{ Name = '-f'; Rivals = @('-f', '--format'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('table', 'csv', 'txt', 'json', 'ndjson', 'geojson') }; Summary = 'how to write the data' }
        @{ Name = '--format'; Rivals = @('-f', '--format'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('table', 'csv', 'txt', 'json', 'ndjson', 'geojson') }; Summary = 'how to write the data' }
        @{ Name = '-o'; Rivals = @('-o', '--output'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'write to a file, all of it or none; .gz compresses; - is stdout' }
        @{ Name = '--output'; Rivals = @('-o', '--output'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'write to a file, all of it or none; .gz compresses; - is stdout' }
        @{ Name = '-u'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--units'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--knots'; Rivals = @('--knots'); IsRepeatable = $false; Values = $null; Summary = 'short for --units kn' }
        @{ Name = '--tz'; Rivals = @('--tz'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris' }
      )
    }
    'vane meta' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $true; Values = @{ Kind = 'stations' } }
      )
      Options = @(
        @{ Name = '--name'; Rivals = @('--name'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations whose name holds a text, case and accents aside' }
        @{ Name = '--near'; Rivals = @('--near'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'sort by distance from a place, in degrees' }
        @{ Name = '--radius'; Rivals = @('--radius'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'with --near: stations at most so far away, in km, nm or mi' }
        @{ Name = '--bbox'; Rivals = @('--bbox'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations in a box, in degrees' }
        @{ Name = '--state'; Rivals = @('--state'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('on', 'off', 'unknown') }; Summary = 'stations in a power state' }
        @{ Name = '--max-age'; Rivals = @('--max-age'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations measured at most so long ago' }
        @{ Name = '--where'; Rivals = @('--where'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations where a condition holds now, as in watch --when' }
        @{ Name = '--sort'; Rivals = @('--sort'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('id', 'name', 'avg', 'gust', 'lull', 'age', 'distance', 'signal') }; Summary = 'order: strongest wind, youngest, nearest or best signal first' }
        @{ Name = '--limit'; Rivals = @('--limit'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'at most so many stations' }
        @{ Name = '-f'; Rivals = @('-f', '--format'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('table', 'csv', 'txt', 'json', 'ndjson', 'geojson') }; Summary = 'how to write the data' }
        @{ Name = '--format'; Rivals = @('-f', '--format'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('table', 'csv', 'txt', 'json', 'ndjson', 'geojson') }; Summary = 'how to write the data' }
        @{ Name = '-o'; Rivals = @('-o', '--output'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'write to a file, all of it or none; .gz compresses; - is stdout' }
        @{ Name = '--output'; Rivals = @('-o', '--output'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'write to a file, all of it or none; .gz compresses; - is stdout' }
        @{ Name = '-u'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--units'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--knots'; Rivals = @('--knots'); IsRepeatable = $false; Values = $null; Summary = 'short for --units kn' }
        @{ Name = '--tz'; Rivals = @('--tz'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris' }
      )
    }
    'vane archive' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $true; Values = @{ Kind = 'stations' } }
      )
      Options = @(
        @{ Name = '--start'; Rivals = @('--start'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'first moment: a date (2024-05, 2024-05-01T12:00Z), a duration before the stop (3d, 12h, P1M), today, yesterday, or last-hour, last-day, last-week, last-month' }
        @{ Name = '--stop'; Rivals = @('--stop'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'first moment after the period: a date such as 2024-06-01, today, yesterday, or now' }
        @{ Name = '--header'; Rivals = @('--header'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('service', 'names', 'none') }; Summary = 'header of csv and txt: the service''s four lines, the column names alone, or none' }
        @{ Name = '--columns'; Rivals = @('--columns'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'only these columns, in this order' }
        @{ Name = '--split'; Rivals = @('--split'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('year', 'month') }; Summary = 'a file for each year or month (UTC), named by --output' }
        @{ Name = '--append'; Rivals = @('--append'); IsRepeatable = $false; Values = $null; Summary = 'continue the file of --output after its last row (csv, txt, ndjson)' }
        @{ Name = '--concurrency'; Rivals = @('--concurrency'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'parallel requests, 1 to 16' }
        @{ Name = '--keep-going'; Rivals = @('--keep-going'); IsRepeatable = $false; Values = $null; Summary = 'after a failed chunk write the others, and list the missing periods' }
        @{ Name = '--report'; Rivals = @('--report'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'write a report of the export as json; - is stdout' }
        @{ Name = '--dry-run'; Rivals = @('--dry-run'); IsRepeatable = $false; Values = $null; Summary = 'print the requests without sending them' }
        @{ Name = '-f'; Rivals = @('-f', '--format'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('table', 'csv', 'txt', 'json', 'ndjson', 'parquet') }; Summary = 'how to write the data' }
        @{ Name = '--format'; Rivals = @('-f', '--format'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('table', 'csv', 'txt', 'json', 'ndjson', 'parquet') }; Summary = 'how to write the data' }
        @{ Name = '-o'; Rivals = @('-o', '--output'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'write to a file, all of it or none; .gz compresses; - is stdout' }
        @{ Name = '--output'; Rivals = @('-o', '--output'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'write to a file, all of it or none; .gz compresses; - is stdout' }
        @{ Name = '-u'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--units'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--knots'; Rivals = @('--knots'); IsRepeatable = $false; Values = $null; Summary = 'short for --units kn' }
        @{ Name = '--tz'; Rivals = @('--tz'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris' }
        @{ Name = '--name'; Rivals = @('--name'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations whose name holds a text, case and accents aside' }
        @{ Name = '--near'; Rivals = @('--near'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'sort by distance from a place, in degrees' }
        @{ Name = '--radius'; Rivals = @('--radius'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'with --near: stations at most so far away, in km, nm or mi' }
        @{ Name = '--bbox'; Rivals = @('--bbox'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations in a box, in degrees' }
        @{ Name = '--state'; Rivals = @('--state'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('on', 'off', 'unknown') }; Summary = 'stations in a power state' }
        @{ Name = '--max-age'; Rivals = @('--max-age'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations measured at most so long ago' }
        @{ Name = '--where'; Rivals = @('--where'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations where a condition holds now, as in watch --when' }
        @{ Name = '--sort'; Rivals = @('--sort'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('id', 'name', 'avg', 'gust', 'lull', 'age', 'distance', 'signal') }; Summary = 'order: strongest wind, youngest, nearest or best signal first' }
        @{ Name = '--limit'; Rivals = @('--limit'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'at most so many stations' }
      )
    }
    'vane watch' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $true; Values = @{ Kind = 'stations' } }
      )
      Options = @(
        @{ Name = '-f'; Rivals = @('-f', '--format'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('ndjson', 'csv', 'txt', 'influx') }; Summary = 'write records in this format' }
        @{ Name = '--format'; Rivals = @('-f', '--format'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('ndjson', 'csv', 'txt', 'influx') }; Summary = 'write records in this format' }
        @{ Name = '--line'; Rivals = @('--line'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'write each record by a template' }
        @{ Name = '-o'; Rivals = @('-o', '--output'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'append records to a file, which may be rotated (SIGHUP opens it again); - is stdout' }
        @{ Name = '--output'; Rivals = @('-o', '--output'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'append records to a file, which may be rotated (SIGHUP opens it again); - is stdout' }
        @{ Name = '--interval'; Rivals = @('--interval'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'time between polls, 60s or more' }
        @{ Name = '--count'; Rivals = @('--count'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'end after this many polls' }
        @{ Name = '--duration'; Rivals = @('--duration'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'end after this time' }
        @{ Name = '--max-failures'; Rivals = @('--max-failures'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'end with code 5 after this many failed polls in a row' }
        @{ Name = '--no-history'; Rivals = @('--no-history'); IsRepeatable = $false; Values = $null; Summary = 'do not request the last hour at the start' }
        @{ Name = '--when'; Rivals = @('--when'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'alarm: ring when a condition becomes true and when it becomes false' }
        @{ Name = '--until'; Rivals = @('--until'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'end when a condition is true' }
        @{ Name = '--for'; Rivals = @('--for'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'time that the condition has to be true first' }
        @{ Name = '--hysteresis'; Rivals = @('--hysteresis'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'how far past its bound a speed has to be before the condition is false again' }
        @{ Name = '--cooldown'; Rivals = @('--cooldown'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'shortest time between two rings of the alarm' }
        @{ Name = '--events'; Rivals = @('--events'); IsRepeatable = $false; Values = $null; Summary = 'write records of events only' }
        @{ Name = '--exec'; Rivals = @('--exec'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'run a shell command at each event' }
        @{ Name = '-u'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--units'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--knots'; Rivals = @('--knots'); IsRepeatable = $false; Values = $null; Summary = 'short for --units kn' }
        @{ Name = '--tz'; Rivals = @('--tz'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris' }
        @{ Name = '--name'; Rivals = @('--name'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations whose name holds a text, case and accents aside' }
        @{ Name = '--near'; Rivals = @('--near'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'sort by distance from a place, in degrees' }
        @{ Name = '--radius'; Rivals = @('--radius'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'with --near: stations at most so far away, in km, nm or mi' }
        @{ Name = '--bbox'; Rivals = @('--bbox'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations in a box, in degrees' }
        @{ Name = '--state'; Rivals = @('--state'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('on', 'off', 'unknown') }; Summary = 'stations in a power state' }
        @{ Name = '--max-age'; Rivals = @('--max-age'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations measured at most so long ago' }
        @{ Name = '--where'; Rivals = @('--where'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'stations where a condition holds now, as in watch --when' }
        @{ Name = '--sort'; Rivals = @('--sort'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('id', 'name', 'avg', 'gust', 'lull', 'age', 'distance', 'signal') }; Summary = 'order: strongest wind, youngest, nearest or best signal first' }
        @{ Name = '--limit'; Rivals = @('--limit'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'at most so many stations' }
      )
    }
    'vane serve' = @{
      Commands = @()
      Positionals = @()
      Options = @(
        @{ Name = '--port'; Rivals = @('--port'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'port to listen on, 0 to 65535; 0 picks a free one' }
        @{ Name = '--host'; Rivals = @('--host'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'address to listen on' }
        @{ Name = '--upstream'; Rivals = @('--upstream'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'service to be in front of, without /v1' }
        @{ Name = '--warm'; Rivals = @('--warm'); IsRepeatable = $false; Values = $null; Summary = 'ask ahead of time, so that nobody waits' }
        @{ Name = '--stale'; Rivals = @('--stale'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'how old live data may get while the service fails' }
        @{ Name = '--upstream-concurrency'; Rivals = @('--upstream-concurrency'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'archive requests to the service at once, 1 to 16' }
        @{ Name = '--memory'; Rivals = @('--memory'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'most that answers may take in memory' }
        @{ Name = '--rate'; Rivals = @('--rate'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'requests a minute from one address, or none for no limit' }
        @{ Name = '--trust-proxy'; Rivals = @('--trust-proxy'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'proxies whose X-Forwarded-For is believed: addresses, ranges, loopback, linklocal, uniquelocal' }
        @{ Name = '--max-connections'; Rivals = @('--max-connections'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'connections at once' }
        @{ Name = '--metrics-port'; Rivals = @('--metrics-port'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'port that /health and /metrics are at, and nowhere else, 0 to 65535' }
        @{ Name = '--metrics-host'; Rivals = @('--metrics-host'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'address to listen on with --metrics-port' }
        @{ Name = '--log'; Rivals = @('--log'); IsRepeatable = $false; Values = @{ Kind = 'files' }; Summary = 'add a json line for each request to a file, which may be rotated (SIGHUP opens it again); - is stdout' }
      )
    }
    'vane cache' = @{
      Commands = @(
        @{ Name = 'path'; Path = 'vane cache path'; Summary = 'Prints the folder of the cache.' }
        @{ Name = 'list'; Path = 'vane cache list'; Summary = 'Lists what is kept, the longest unused first.' }
        @{ Name = 'clear'; Path = 'vane cache clear'; Summary = 'Removes what is kept, or what is over a size.' }
        @{ Name = 'help'; Path = 'vane cache help'; Summary = 'print help for a command' }
      )
      Positionals = @()
      Options = @()
    }
    'vane cache path' = @{
      Commands = @()
      Positionals = @()
      Options = @()
    }
    'vane cache list' = @{
      Commands = @()
      Positionals = @()
      Options = @()
    }
    'vane cache clear' = @{
      Commands = @()
      Positionals = @()
      Options = @(
        @{ Name = '--max-size'; Rivals = @('--max-size'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'keep the latest used up to this size' }
      )
    }
    'vane cache help' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('path', 'list', 'clear') } }
      )
      Options = @()
    }
    'vane completion' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('bash', 'zsh', 'fish', 'powershell') } }
      )
      Options = @()
    }
    'vane config' = @{
      Commands = @(
        @{ Name = 'list'; Path = 'vane config list'; Summary = 'Lists every key with its value and where that comes from.' }
        @{ Name = 'get'; Path = 'vane config get'; Summary = 'Prints the value of a key, wherever it comes from.' }
        @{ Name = 'set'; Path = 'vane config set'; Summary = 'Sets a key in the file, which is made if there is none.' }
        @{ Name = 'unset'; Path = 'vane config unset'; Summary = 'Takes a key out of the file.' }
        @{ Name = 'path'; Path = 'vane config path'; Summary = 'Prints where the file is.' }
        @{ Name = 'help'; Path = 'vane config help'; Summary = 'print help for a command' }
      )
      Positionals = @()
      Options = @()
    }
    'vane config list' = @{
      Commands = @()
      Positionals = @()
      Options = @(
        @{ Name = '-u'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--units'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--knots'; Rivals = @('--knots'); IsRepeatable = $false; Values = $null; Summary = 'short for --units kn' }
        @{ Name = '--tz'; Rivals = @('--tz'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris' }
      )
    }
    'vane config get' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $false; Values = @{ Kind = 'text' } }
      )
      Options = @(
        @{ Name = '-u'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--units'; Rivals = @('-u', '--units'); IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('kmh', 'kn', 'ms', 'mph', 'bft') }; Summary = 'unit of speeds' }
        @{ Name = '--knots'; Rivals = @('--knots'); IsRepeatable = $false; Values = $null; Summary = 'short for --units kn' }
        @{ Name = '--tz'; Rivals = @('--tz'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'zone of times, and of dates without an offset: utc, local or e.g. Europe/Paris' }
      )
    }
    'vane config set' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $false; Values = @{ Kind = 'text' } }
        @{ IsRepeatable = $false; Values = @{ Kind = 'text' } }
      )
      Options = @()
    }
    'vane config unset' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $false; Values = @{ Kind = 'text' } }
      )
      Options = @()
    }
    'vane config path' = @{
      Commands = @()
      Positionals = @()
      Options = @()
    }
    'vane config help' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('list', 'get', 'set', 'unset', 'path') } }
      )
      Options = @()
    }
    'vane help' = @{
      Commands = @()
      Positionals = @(
        @{ IsRepeatable = $false; Values = @{ Kind = 'words'; Words = @('live', 'meta', 'archive', 'watch', 'serve', 'cache', 'completion', 'config') } }
      )
      Options = @()
    }
  }
  $everywhere = @(
    @{ Name = '--version'; Rivals = @('--version'); IsRepeatable = $false; Values = $null; Summary = 'print the version; with -v also the details that a bug report needs' }
    @{ Name = '--base-url'; Rivals = @('--base-url'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'address of the service, without /v1' }
    @{ Name = '--demo'; Rivals = @('--demo'); IsRepeatable = $false; Values = $null; Summary = 'ask a simulated network on this machine instead; nothing goes over a network' }
    @{ Name = '--timeout'; Rivals = @('--timeout'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'longest wait for a connection, for an answer and within it' }
    @{ Name = '--retries'; Rivals = @('--retries'); IsRepeatable = $false; Values = @{ Kind = 'text' }; Summary = 'further attempts after a failure that may pass, 0 to 20' }
    @{ Name = '--no-cache'; Rivals = @('--no-cache'); IsRepeatable = $false; Values = $null; Summary = 'neither read nor write the cache on disk' }
    @{ Name = '--refresh'; Rivals = @('--refresh'); IsRepeatable = $false; Values = $null; Summary = 'ask the service again for answers in the cache, and replace them' }
    @{ Name = '-q'; Rivals = @('-q', '--quiet'); IsRepeatable = $false; Values = $null; Summary = 'print nothing on stderr but errors' }
    @{ Name = '--quiet'; Rivals = @('-q', '--quiet'); IsRepeatable = $false; Values = $null; Summary = 'print nothing on stderr but errors' }
    @{ Name = '-v'; Rivals = @('-v', '--verbose'); IsRepeatable = $false; Values = $null; Summary = 'print a line on stderr for each request, and why an error came' }
    @{ Name = '--verbose'; Rivals = @('-v', '--verbose'); IsRepeatable = $false; Values = $null; Summary = 'print a line on stderr for each request, and why an error came' }
    @{ Name = '--color'; Rivals = @('--color', '--no-color'); IsRepeatable = $false; Values = $null; Summary = 'colour the output' }
    @{ Name = '--no-color'; Rivals = @('--color', '--no-color'); IsRepeatable = $false; Values = $null; Summary = 'no colour (as with NO_COLOR=1)' }
    @{ Name = '-h'; Rivals = @('-h', '--help'); IsRepeatable = $false; Values = $null; Summary = 'print help' }
    @{ Name = '--help'; Rivals = @('-h', '--help'); IsRepeatable = $false; Values = $null; Summary = 'print help' }
  )

  function Get-VaneOption($name) {
    @($commands[$command].Options) + $everywhere | Where-Object { $_.Name -ceq $name } | Select-Object -First 1
  }
  # The text that is inserted, and what is shown beside it.
  function New-VaneResult($text, $type, $tip) {
    if (-not $tip) { $tip = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, $type, $tip)
  }
  function Get-VaneValue($values, $typed, $joined) {
    switch ($values.Kind) {
      'words' {
        $values.Words | Where-Object { $_.StartsWith($typed, 'OrdinalIgnoreCase') } |
          ForEach-Object { New-VaneResult "$joined$_" 'ParameterValue' $_ }
      }
      'stations' {
        vane completion stations 2>$null | ForEach-Object {
          $id, $name = $_ -split "`t", 2
          if ($id -and $id.StartsWith($typed) -and $given -cnotcontains $id) {
            [System.Management.Automation.CompletionResult]::new("$joined$id", "$id  $name", 'ParameterValue', "$id  $name")
          }
        }
      }
      { $_ -in 'files', 'folders' } {
        [System.Management.Automation.CompletionCompleters]::CompleteFilename($typed) |
          Where-Object { $values.Kind -eq 'files' -or $_.ResultType -eq 'ProviderContainer' } |
          ForEach-Object {
            [System.Management.Automation.CompletionResult]::new("$joined$($_.CompletionText)", $_.ListItemText, $_.ResultType, $_.ToolTip)
          }
      }
    }
  }

  $command = 'vane'
  $given = @()
  $count = 0
  $expected = $null
  $isOver = $false
  $elements = $commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1
  foreach ($element in $elements) {
    $word = $element.Extent.Text
    if ($expected) { $expected = $null; continue }
    if (-not $isOver -and $word -ceq '--') { $isOver = $true; continue }
    if (-not $isOver -and $word -like '-?*') {
      $name = $word -replace '=.*$', ''
      $given += $name
      $option = Get-VaneOption $name
      if ($option.Values -and $word -notlike '*=*') { $expected = $option }
      continue
    }
    $next = $commands[$command].Commands | Where-Object { $_.Name -ceq $word } | Select-Object -First 1
    if ($next -and $count -eq 0) { $command = $next.Path } else { $given += $word; $count++ }
  }

  $results = @(
    if ($expected) {
      Get-VaneValue $expected.Values $wordToComplete ''
    } elseif (-not $isOver -and $wordToComplete -like '--*=*') {
      $name, $typed = $wordToComplete -split '=', 2
      $option = Get-VaneOption $name
      if ($option.Values) { Get-VaneValue $option.Values $typed "$name=" }
    } elseif (-not $isOver -and $wordToComplete -like '-*') {
      @($commands[$command].Options) + $everywhere | Where-Object {
        $option = $_
        $_.Name -and $_.Name.StartsWith($wordToComplete, 'Ordinal') -and
          ($_.IsRepeatable -or -not ($_.Rivals | Where-Object { $given -ccontains $_ }))
      } | ForEach-Object { New-VaneResult $_.Name 'ParameterName' $_.Summary }
    } else {
      if ($count -eq 0 -and -not $isOver) {
        $commands[$command].Commands | Where-Object { $_.Name -and $_.Name.StartsWith($wordToComplete) } |
          ForEach-Object { New-VaneResult $_.Name 'Command' $_.Summary }
      }
      $positionals = @($commands[$command].Positionals)
      $positional = if ($count -lt $positionals.Count) { $positionals[$count] } else { $positionals | Where-Object { $_.IsRepeatable } | Select-Object -Last 1 }
      if ($positional) { Get-VaneValue $positional.Values $wordToComplete '' }
    }
  )
  # Without any result PowerShell would offer files.
  if ($results.Count -eq 0) { '' } else { $results }
}
