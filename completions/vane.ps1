# Completions of vane for PowerShell 5.1 and later, written by: vane completion powershell

Register-ArgumentCompleter -Native -CommandName 'vane' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)

  $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    Select-Object -Skip 1 | ForEach-Object { $_.Extent.Text })
  # Windows PowerShell drops an empty argument.
  $last = if ($wordToComplete) { "$wordToComplete" } else { '""' }
  $kind, $lines = vane completion words '--' @typed $last 2>$null
  $joined, $path = if ($wordToComplete -match '^(--[^=]*=)(.*)$') { $Matches[1], $Matches[2] } else { '', "$wordToComplete" }

  $results = @(
    if ($kind -eq 'files') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($path) |
        ForEach-Object {
          [System.Management.Automation.CompletionResult]::new("$joined$($_.CompletionText)", $_.ListItemText, $_.ResultType, $_.ToolTip)
        }
    } else {
      $lines | Where-Object { $_ } | ForEach-Object {
        $value, $text = $_ -split "`t", 2
        $shown = if ($text) { "$value  $text" } else { $value }
        # A value with blanks needs quotes.
        $inserted = if ($value -match '[^\w.,:/@%+=-]') { "'" + ($value -replace "['‘’‚‛]", '$&$&') + "'" } else { $value }
        [System.Management.Automation.CompletionResult]::new($inserted, $shown, 'ParameterValue', $shown)
      }
    }
  )
  # Without any result PowerShell would offer files.
  if ($results.Count -eq 0) { '' } else { $results }
}
