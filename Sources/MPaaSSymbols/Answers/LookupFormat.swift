/// The forms in which look-ups of addresses are written.
package enum LookupFormat: String, CaseIterable, Sendable {
  case addr2line, pretty, json
}
