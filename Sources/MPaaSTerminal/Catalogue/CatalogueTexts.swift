import MPaaSSupport

/// Where each text stands in the embedded files of a language; a text itself is read when somebody asks for it, as a
/// command needs few of thousands.
struct CatalogueTexts: Sendable {
  private struct Entry: Sendable {
    let resource: Int
    let range: Range<Int>
  }

  /// `nonisolated(unsafe)`: the bytes are literals, which stay as they are while the program runs.
  private nonisolated(unsafe) let resources: [UnsafeRawBufferPointer]
  private var entries: [String: Entry] = [:]

  /// - Parameter resources: Flat JSON objects. They are ours and a test decodes each of them; of a broken one what comes
  ///   behind the fault shows its keys instead of texts.
  init(_ resources: [UnsafeRawBufferPointer]) {
    self.resources = resources
    var entries: [String: Entry] = [:]
    entries.reserveCapacity(4096)
    for (number, resource) in resources.enumerated() {
      var skim = JSONSkim(resource)
      _ = skim.object { name, skim in
        guard let key = skim.text(name), let range = skim.stringRange() else { return false }
        entries[key] = Entry(resource: number, range: range)
        return true
      }
    }
    self.entries = entries
  }

  var keys: some Collection<String> { entries.keys }

  subscript(key: String) -> String? {
    guard let entry = entries[key] else { return nil }
    return JSONSkim(resources[entry.resource]).text(entry.range)
  }
}
