import MPaaSFramework
import MPaaSTestSupport
import Synchronization

/// Twelve services with random needs; each class stands for one number.
struct Web: Sendable {
  static let all = Mutex<[ObjectIdentifier: Web]>([:])
  let needs: [[Int]]

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    needs = (0..<Self.types.count).map { number in
      (0..<Int.random(in: 0...2, using: &random)).map { _ in
        // Mostly downward, so that not everything is a circle.
        Int.random(in: 0..<6, using: &random) == 0
          ? Int.random(in: 0..<Self.types.count, using: &random) : Int.random(in: 0...number, using: &random) / 2
      }.filter { $0 != number || seed % 3 == 0 }
    }
  }

  var entries: [ServiceEntry] {
    Self.types.enumerated().map { ServiceEntry(name: "\($0)", type: $1) }
  }

  /// Tells whether making that service comes to a circle.
  func reachesCircle(_ number: Int) -> Bool { reaches(number, []) }

  private func reaches(_ number: Int, _ path: Set<Int>) -> Bool {
    if path.contains(number) { return true }
    return needs[number].contains { reaches($0, path.union([number])) }
  }

  static let types: [any MobileService.Type] = [
    Node<I0>.self, Node<I1>.self, Node<I2>.self, Node<I3>.self, Node<I4>.self, Node<I5>.self, Node<I6>.self,
    Node<I7>.self, Node<I8>.self, Node<I9>.self, Node<I10>.self, Node<I11>.self,
  ]

  final class Node<Index: WebIndex>: MobileService {
    init(services: ServiceRegistry) throws {
      let web = Web.all.withLock { $0[ObjectIdentifier(services)] }
      for need in web?.needs[Index.number] ?? [] { _ = try services.service(named: "\(need)") }
    }
  }
}

protocol WebIndex: Sendable { static var number: Int { get } }
enum I0: WebIndex { static let number = 0 }
enum I1: WebIndex { static let number = 1 }
enum I2: WebIndex { static let number = 2 }
enum I3: WebIndex { static let number = 3 }
enum I4: WebIndex { static let number = 4 }
enum I5: WebIndex { static let number = 5 }
enum I6: WebIndex { static let number = 6 }
enum I7: WebIndex { static let number = 7 }
enum I8: WebIndex { static let number = 8 }
enum I9: WebIndex { static let number = 9 }
enum I10: WebIndex { static let number = 10 }
enum I11: WebIndex { static let number = 11 }
