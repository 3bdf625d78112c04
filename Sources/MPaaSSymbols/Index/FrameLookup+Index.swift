extension FrameLookup {
  /// The index that answers at the moment; nil where there is none.
  package var index: IndexedLookup? {
    if let lookup = self as? IndexedLookup { return lookup }
    return (self as? AdaptiveLookup)?.index
  }
}
