/// Which image an address is in, found by bisection.
package struct ImageTable: Sendable {
  private let images: [CrashReport.Image]
  /// Indices of the images that have a size, by base; of images with one base, the first of the report is the last here.
  private let order: [Int]

  package init(_ images: [CrashReport.Image]) {
    self.images = images
    order = images.indices.filter { images[$0].size > 0 }
      .sorted { (images[$0].base, $1) < (images[$1].base, $0) }
  }

  /// The index of the image that holds `address`; nil where none does.
  package func index(of address: UInt64) -> Int? {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if images[order[middle]].base <= address { low = middle + 1 } else { high = middle }
    }
    // An image inside another one is rare: a few steps back find the outer one.
    for place in stride(from: low - 1, through: max(low - 4, 0), by: -1) where place >= 0 {
      if images[order[place]].contains(address) { return order[place] }
    }
    return nil
  }
}
