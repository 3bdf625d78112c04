/// The columns of a block's numbers, in their order.
package enum LogColumn: Int, CaseIterable {
  case level, label, thread, time, message, fields

  /// Bytes at the beginning of a block: the size of all that is before the texts, then the sizes of the columns.
  package static let headerSize = 4 + 4 * allCases.count
}
