import Foundation
import MPaaSStorage
import MPaaSTestSupport
import Testing

@Suite("An array of files") struct ArrayModelTests {
  @Test("does what a plain list does, across starts", arguments: 0..<4)
  func model(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom(seed: UInt64(seed))
    var list: [(name: String, byte: UInt8)] = []
    for _ in 0..<4 {
      let center = try DataCenter(root: folder.path + "/p", appVersion: "1")
      let array = try center.customStorage(named: "c").fileArray(named: "a", ofUser: false, capacity: 20)
      for _ in 0..<300 {
        let name = "\(Int.random(in: 0..<30, using: &random))"
        let byte = UInt8.random(in: .min ... .max, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          try array.remove(name)
          list.removeAll { $0.name == name }
        case 1:
          let new = "\(Int.random(in: 0..<30, using: &random))"
          let place = list.firstIndex { $0.name == name }
          #expect(try array.rename(name, to: new) == (place != nil))
          guard let place, name != new else { continue }
          let byte = list[place].byte
          list[place] = ("renamed", byte)
          list.removeAll { $0.name == new }
          list = list.map { $0.name == "renamed" ? (new, $0.byte) : $0 }
        default:
          try array.write([byte], name: name)
          list.removeAll { $0.name == name }
          list.append((name, byte))
          if list.count > 20 { list.removeFirst() }
        }
        #expect(try array.names == list.map(\.name))
      }
      for item in list { #expect(try array.read(item.name) == [item.byte]) }
    }
  }
}
