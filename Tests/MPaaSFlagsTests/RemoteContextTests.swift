import MPaaSFlagTools
import MPaaSFlags
import MPaaSTestSupport
import Testing

@Suite("The context of remote evaluation") struct RemoteContextTests {
  private func read(_ bytes: [UInt8]) -> Result<RemoteContext, RemoteContext.Problem> {
    bytes.withUnsafeBytes { bytes in
      Result { () throws(RemoteContext.Problem) in try RemoteContext(body: bytes) }
    }
  }

  @Test("takes the targeting key for the user, and passes over members that have parts")
  func members() throws {
    let body =
      #"{"context":{"targetingKey":"7","city":"杭州","age":7,"cart":{"a":1},"tags":["x"],"properties":{"b":true}}}"#
    let context = try read(Array(body.utf8)).get().context
    #expect(context.userId == "7")
    #expect(context.properties == ["city": "杭州", "age": "7", "b": "true", "targetingKey": "7"])
    let other = try read(Array(#"{"context":{"targetingKey":"7","userId":"8"}}"#.utf8)).get().context
    #expect(other.userId == "8" && other.properties["targetingKey"] == "7")
  }

  @Test("whatever bytes come, it is a context of a user or refused with one of the protocol's reasons")
  func mutated() throws {
    var random = SeededRandom(seed: 5)
    let whole = Array(#"{"context":{"targetingKey":"7","city":"a","properties":{"b":[1,true]},"n":1.5}}"#.utf8)
    var taken = 0
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      switch read(bytes) {
      case .success(let found):
        #expect(found.context.userId?.isEmpty == false)
        taken += 1
      case .failure(let problem):
        #expect([.parse, .invalidContext, .targetingKeyMissing].contains(problem.failure) && !problem.details.isEmpty)
      }
    }
    #expect(taken > 0)
  }
}
