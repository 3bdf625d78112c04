import MPaaSCrash
import MPaaSCrashReport

/// A function that a frame of a recording is in.
struct RecordedPlace: Hashable {
  /// The function, or the image and the distance from its beginning where that is all that is known.
  let name: String
  let image: String?
  let file: String?
  let line: Int?
}

extension CrashReport {
  /// The functions of a frame, innermost first: what was inlined into it, then the function itself.
  func places(ofFrame index: Int, inStack stack: Int) -> [RecordedPlace] {
    let frame = threads[stack].frames[index]
    let image = frame.image.flatMap { images.indices.contains($0) ? images[$0] : nil }
    let named = frame.calls.filter { !$0.function.isEmpty }
    if !named.isEmpty {
      return named.map { RecordedPlace(name: $0.function, image: image?.name, file: $0.file, line: $0.line) }
    }
    let address = lookupAddress(ofFrame: index, inStack: stack)
    guard let image else {
      return [RecordedPlace(name: "0x" + String(address, radix: 16), image: nil, file: nil, line: nil)]
    }
    let name = image.name.isEmpty ? "(code without a file)" : image.name
    let place = "\(name) + 0x" + String(address &- image.base, radix: 16)
    return [RecordedPlace(name: place, image: image.name, file: nil, line: nil)]
  }
}
