# Completions of vane for PowerShell, written by: vane completion powershell

Register-ArgumentCompleter -Native -CommandName 'vane' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  # Each command: the commands below it, what is given to it, and its options by their names.
  $commands = @{
@@commands@@
  }
  $everywhere = @(
@@everywhere@@
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
