import MPaaSCrashReport
import MPaaSSupport

/// The images of a report that `spindump` prints: the rows of "Binary Images:" below each process, and what only frames
/// tell of.
struct SpindumpImages {
  /// `Demo + 16208` or `<32AA34A5-…> + 16208`: an image and how far in it an address lies.
  struct Place {
    /// Empty where only the identifier is given.
    var name = ""
    /// Lower-case hexadecimal without dashes; empty where only the name is given.
    var identifier = ""
    let offset: UInt64

    init?(_ text: TextBytes) {
      guard let plus = text.range(of: " + ", last: true), let offset = UInt64(text[plus.upperBound...].text) else {
        return nil
      }
      self.offset = offset
      let image = text[..<plus.lowerBound].trimmed
      if image.first == 0x3c, image.last == 0x3e {
        identifier = IPSWriter.buildID(ofUUID: image.dropFirst().dropLast().text)
      } else {
        name = image.text
      }
    }
  }

  private(set) var all: [CrashReport.Image]
  private var table: ImageTable
  private var byBase: [UInt64: Int] = [:]

  /// - Parameters:
  ///   - known: Images that are known already.
  ///   - text: The whole report; each line that is a row of a list of images counts once.
  init(_ known: [CrashReport.Image], _ text: [UInt8]) {
    var all = known
    var bases = Set(known.map(\.base))
    for line in text.split(separator: 0x0a) where line.trimmed.has(prefix: "0x") {
      guard let row = AppleImageLine(line), bases.insert(row.start).inserted else { continue }
      all.append(row.image(architecture: ""))
    }
    self.all = all
    table = ImageTable(all)
  }

  /// The frame with its image: the one that has its address, else one that begins where the frame says.
  mutating func placed(_ frame: CrashReport.Frame, _ place: Place?) -> CrashReport.Frame {
    var frame = frame
    frame.image = table.index(of: frame.address)
    guard frame.image == nil, let place, place.offset <= frame.address else { return frame }
    let base = frame.address - place.offset
    if let index = byBase[base] {
      frame.image = index
      all[index].size = max(all[index].size, place.offset &+ 1)
    } else {
      frame.image = all.count
      byBase[base] = all.count
      all.append(
        CrashReport.Image(
          base: base, size: place.offset &+ 1, buildID: place.identifier, path: place.name, architecture: "",
          slide: base))
    }
    return frame
  }
}
