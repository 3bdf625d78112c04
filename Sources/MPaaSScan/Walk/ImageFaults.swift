import MPaaSSupport
import MPaaSSymbols

/// A table of an image that does not lie in its file.
struct ImageFault: Equatable {
  let reason: String
  let offset: UInt64
}

extension MachOImage {
  /// Tables and segments that pass the end of the image; files of debug information have no bytes for theirs.
  var faults: [ImageFault] {
    guard kind != .debugInfo, kind != .core else { return [] }
    var found: [ImageFault] = []
    for segment in segments where segment.fileSize > 0 {
      if bytes.slice(at: segment.offset, size: segment.fileSize) == nil {
        found.append(ImageFault(reason: "segment \(segment.name)", offset: segment.offset))
      }
    }
    for (name, place) in statedTables where bytes.slice(at: place.offset, size: place.size) == nil {
      found.append(ImageFault(reason: name, offset: place.offset))
    }
    return found
  }
}

extension ELFImage {
  /// Sections and segments that pass the end of the file.
  var faults: [ImageFault] {
    guard kind != .debugInfo else { return [] }
    var found: [ImageFault] = []
    for section in sections where section.type != .noBits && section.type != .null {
      if bytes.slice(at: section.offset, size: section.size) == nil {
        found.append(ImageFault(reason: "section \(section.index)", offset: section.offset))
      }
    }
    for (index, segment) in segments.enumerated() where segment.fileSize > 0 {
      if bytes.slice(at: segment.offset, size: segment.fileSize) == nil {
        found.append(ImageFault(reason: "segment \(index)", offset: segment.offset))
      }
    }
    return found
  }
}
