import MPaaSSupport
package import MPaaSTerminal
package import MPaaSToolSupport

extension TextDiff.UnifiedLine {
  /// The line as it is shown, coloured by what it is.
  package var styled: StyledText {
    let role: TextRole =
      switch kind {
      case .header: .emphasis
      case .hunk: .function
      case .kept: .plain
      case .removed: .bad
      case .added: .good
      case .remark: .faint
      }
    return StyledText(verbatim: text, role)
  }
}
