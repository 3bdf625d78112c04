/// An image whose symbols can be gone through.
protocol SymbolListing {
  /// Hands over address, size (0 where unknown) and name of each symbol of the image's code, by rising address.
  func forEachSymbol(_ visit: (_ address: UInt64, _ size: UInt64, _ name: UnsafeRawBufferPointer) -> Void)
}
