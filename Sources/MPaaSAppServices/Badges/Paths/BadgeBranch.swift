/// A widget with badges below it, on one path.
package struct BadgeBranch: Sendable {
  /// The path down to the widget, commas between.
  package let path: String
  /// The widget.
  package let widgetID: String
  /// The branch that it stands on; -1 for none.
  let parent: Int32
  let hash: UInt64
  let widgetHash: UInt32
  /// True where the same widget stands above it on the path, which counts the badges already.
  let isRepeated: Bool
  /// The sum of the badges below it.
  package internal(set) var totals = BadgeTotals()
}
