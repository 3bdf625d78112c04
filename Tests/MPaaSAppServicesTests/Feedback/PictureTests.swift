import MPaaSAppServices
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// Pictures made by hand, with a word wherever a position may stand.
private enum Sample {
  static let word = "N31.2304 E121.4737"

  static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    let length = content.count + 2
    return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + content
  }

  /// A TIFF structure with an orientation, a directory of a position behind it, and the word.
  static func tiff(_ orientation: UInt8, isBig: Bool) -> [UInt8] {
    func two(_ value: UInt16) -> [UInt8] {
      isBig ? [UInt8(value >> 8), UInt8(value & 255)] : [UInt8(value & 255), UInt8(value >> 8)]
    }
    func four(_ value: UInt16) -> [UInt8] { isBig ? [0, 0] + two(value) : two(value) + [0, 0] }
    let head = Array((isBig ? "MM" : "II").utf8) + two(42) + four(8) + two(2)
    let shown = two(0x0112) + two(3) + four(1) + two(UInt16(orientation)) + two(0)
    let position = two(0x8825) + two(4) + four(1) + four(38)
    return head + shown + position + four(0) + Array(word.utf8)
  }

  static let tables = segment(0xdb, [0] + Array(1...64)) + segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
  static let huffman = segment(0xc4, [0] + [UInt8](repeating: 0, count: 16))
  /// Two scans with bytes that look like markers, a restart, and a table between them.
  static let scans =
    segment(0xda, [1, 1, 0, 0, 63, 0]) + [1, 2, 0xff, 0x00, 3, 0xff, 0xd0, 4] + huffman
    + segment(0xda, [1, 1, 0, 1, 63, 0]) + [5, 0xff, 0x00, 6]
  static let profile = segment(0xe2, Array("ICC_PROFILE\0".utf8) + [1, 1, 9, 9, 9])
  static let adobe = segment(0xee, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])

  static func jpeg(_ orientation: UInt8 = 6, isBig: Bool = true) -> [UInt8] {
    let small = segment(0xe0, Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 2, 3] + Array(word.utf8))
    let noise = [
      segment(0xe0, Array("JFXX\0".utf8) + Array(word.utf8)),
      segment(0xe1, Array("Exif\0\0".utf8) + tiff(orientation, isBig: isBig)),
      segment(0xe1, Array("http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude=\"\(word)\"/>".utf8)),
      segment(0xe1, Array("http://ns.adobe.com/xmp/extension/\0\(word)".utf8)),
      segment(0xe2, Array("MPF\0\(word)".utf8)), segment(0xed, Array("Photoshop 3.0\0\(word)".utf8)),
      segment(0xfe, Array(word.utf8)), segment(0xef, Array(word.utf8)),
    ].joined()
    let start: [UInt8] = [0xff, 0xd8]
    return start + small + noise + profile + [0xff] + adobe + tables + huffman + segment(0xfe, Array(word.utf8)) + scans
      + [0xff, 0xd9] + start + segment(0xe1, Array("Exif\0\0\(word)".utf8)) + Array("ftypmp42\(word)".utf8)
  }

  static func png() -> [UInt8] {
    let text = Array(word.utf8)
    return PNG.signature + PNG.header(width: 1, height: 1) + PNG.chunk("iCCP", [1, 0, 0, 2]) + PNG.chunk("tEXt", text)
      + PNG.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + text) + PNG.chunk("eXIf", tiff(8, isBig: false))
      + PNG.chunk("prVt", text) + PNG.chunk("tIME", [7, 234, 1, 1, 0, 0, 0]) + PNG.chunk("IDAT", [1, 2, 3])
      + PNG.chunk("IDAT", [4, 5]) + PNG.chunk("zTXt", text) + PNG.chunk("IEND", []) + text
  }

  static func holds(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  static func isSilent(_ bytes: [UInt8]) -> Bool { !holds(bytes, Array(word.utf8)) }
}

@Suite("Pictures of feedback") struct PictureTests {
  @Test(
    "of JPEG keep the coded picture byte by byte, and say nothing of where they were taken", arguments: [true, false])
  func jpeg(isBig: Bool) throws {
    let file = Sample.jpeg(isBig: isBig)
    #expect(!Sample.isSilent(file))
    let image = try FeedbackImage(file)
    #expect(image.kind == .jpeg)
    #expect(Sample.isSilent(image.bytes))
    for part in [Sample.profile, Sample.adobe, Sample.tables + Sample.huffman + Sample.scans + [0xff, 0xd9]] {
      #expect(Sample.holds(image.bytes, part))
    }
    #expect(image.bytes.suffix(2) == [0xff, 0xd9])
    // The density without the small picture, and the orientation as the only entry of Exif.
    #expect(Sample.holds(image.bytes, Array("JFIF\0".utf8) + [1, 2, 1, 0, 72, 0, 72, 0, 0, 0xff]))
    #expect(
      Sample.holds(image.bytes, Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6]))
    #expect(try FeedbackImage(image.bytes) == image)
    #expect(!Sample.holds(try FeedbackImage(Sample.jpeg(1)).bytes, Array("Exif".utf8)))
  }

  @Test("of PNG keep the chunks that draw them, and say nothing of where they were taken")
  func png() throws {
    let file = Sample.png()
    #expect(!Sample.isSilent(file))
    let image = try FeedbackImage(file)
    #expect(image.kind == .png)
    #expect(Sample.isSilent(image.bytes))
    let data = PNG.chunk("IDAT", [1, 2, 3]) + PNG.chunk("IDAT", [4, 5]) + PNG.chunk("IEND", [])
    #expect(image.bytes.suffix(data.count).elementsEqual(data))
    #expect(Sample.holds(image.bytes, PNG.chunk("iCCP", [1, 0, 0, 2])))
    for type in ["tEXt", "iTXt", "tIME", "prVt", "zTXt"] { #expect(!Sample.holds(image.bytes, Array(type.utf8))) }
    #expect(Sample.holds(image.bytes, [1, 18, 0, 3, 0, 0, 0, 1, 0, 8]))
    #expect(try FeedbackImage(image.bytes) == image)
  }

  @Test(
    "of other kinds are refused by name",
    arguments: [
      ("GIF89a", "GIF"), ("\0\0\0\u{18}ftypheic", "HEIC"), ("RIFF\0\0\0\0WEBPVP8 ", "WebP"), ("%PDF-1.7", "PDF"),
      ("II*\0", "TIFF"), ("", "–"), ("text", "–"),
    ])
  func others(file: String, kind: String) {
    let error = #expect(throws: AppServiceError.self) { try FeedbackImage(Array(file.utf8)) }
    #expect(error?.identifier == "feedback-picture-kind")
    #expect(error?.values["kind"] == kind)
  }

  @Test("that are cut or damaged are refused or come out well-formed, whatever is changed in them")
  func damaged() {
    for file in [Sample.jpeg(), Sample.png()] {
      let end = (try? FeedbackImage(file))?.bytes.count ?? 0
      #expect(end > 0)
      for count in 0..<file.count {
        guard let image = try? FeedbackImage(Array(file.prefix(count))) else { continue }
        // Only what lies behind the end may be missing.
        #expect(image == (try? FeedbackImage(file)), "\(count)")
      }
      for place in file.indices {
        for bit in Flips.bits(of: place) {
          var changed = file
          changed[place] ^= 1 << UInt8(bit)
          guard let image = try? FeedbackImage(changed) else { continue }
          #expect((try? FeedbackImage(image.bytes)) == image, "byte \(place), bit \(bit)")
        }
      }
    }
  }
}
