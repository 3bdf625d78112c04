/// Debug files that debuggers get over debuginfod's protocol.
package struct SymbolsServing: ServedWork {
  package static let name = "symbols"

  /// `HOST:PORT`; port 0 lets the system choose.
  package let listen: String
  /// Files and folders beside the store.
  package let paths: [String]
  package let sourceRoots: [String]

  package init(listen: String, paths: [String], sourceRoots: [String]) {
    self.listen = listen
    self.paths = paths
    self.sourceRoots = sourceRoots
  }
}
