extension SymbolIndexes {
  /// Makes the indexes of builds in a store that changed, or that have none yet.
  package func prepare(_ builds: some Sequence<BuildID>, in store: SymbolStore) {
    let search = DebugFileSearch(store: store, roots: [])
    for id in Set(builds).sorted(by: { $0.hex < $1.hex }) { prepare(search.find(path: nil, buildID: id)) }
  }
}
