import MPaaSNetwork
import MPaaSTestSupport
import Testing

@Suite("Conditions on requests") struct RequestConditionTests {
  private func conditions(_ toxics: Toxic..., seed: UInt64 = 0) -> RequestConditions {
    RequestConditions(seed: seed, toxics)
  }

  private func failure(_ filter: RequestFilter) -> Toxic { Toxic(.httpError(HTTPFailure(status: 503, filter: filter))) }

  @Test("the filter's method and path choose; the query counts only where the pattern has one")
  func filter() {
    var rules = conditions(failure(RequestFilter(method: "post", path: "/pay/*")))
    #expect(rules.plan(method: "POST", target: "/pay/1?x=/other", connection: 1).failure?.status == 503)
    #expect(rules.plan(method: "GET", target: "/pay/1", connection: 1).isPlain)
    #expect(rules.plan(method: "POST", target: "/paid", connection: 1).isPlain)
    var query = conditions(failure(RequestFilter(path: "/a?id=*")))
    #expect(!query.plan(method: "GET", target: "/a?id=7", connection: 1).isPlain)
    #expect(query.plan(method: "GET", target: "/a", connection: 1).isPlain)
  }

  @Test("only the first so many are touched, and other changes do not begin the count anew")
  func first() {
    let toxic = failure(RequestFilter(first: 2))
    var rules = conditions(toxic)
    func touched() -> Bool { !rules.plan(method: "GET", target: "/", connection: 1).isPlain }
    #expect(touched())
    rules.change(to: [toxic, Toxic(.httpDelay(HTTPDelay(.zero, filter: RequestFilter(path: "/never"))))])
    #expect(touched())
    #expect(!touched())
    rules.change(to: [])
    rules.change(to: [toxic])
    #expect(touched())
  }

  @Test("a share of requests is drawn the same way for the same seed, and another way for another")
  func share() {
    func draws(_ seed: UInt64) -> [Bool] {
      var rules = conditions(failure(RequestFilter(probability: 0.3)), seed: seed)
      return (0..<10_000).map { _ in !rules.plan(method: "GET", target: "/", connection: 1).isPlain }
    }
    let one = draws(1)
    #expect(one == draws(1))
    #expect(one != draws(2))
    // Five standard deviations of 10,000 draws.
    #expect(abs(one.count { $0 } - 3000) < 230)
  }

  @Test("toxicity is drawn once for each connection")
  func toxicity() {
    var toxic = failure(RequestFilter())
    toxic.toxicity = 0.5
    var rules = conditions(toxic)
    let touched = (0..<1000).map { connection in
      let answers = (0..<3).map { _ in rules.plan(method: "GET", target: "/", connection: UInt64(connection)).isPlain }
      #expect(Set(answers).count == 1)
      return answers[0]
    }
    #expect((400...600).contains(touched.count { $0 }))
    toxic.toxicity = 0
    rules.change(to: [toxic])
    #expect((0..<100).allSatisfy { rules.plan(method: "GET", target: "/", connection: $0).isPlain })
  }

  @Test("several conditions add up: delays in sum, the least that passes of a body, the first error")
  func sum() {
    var rules = conditions(
      Toxic(name: "a", .httpDelay(HTTPDelay(.seconds(1)))), Toxic(name: "b", .httpDelay(HTTPDelay(.seconds(2)))),
      Toxic(name: "c", .httpTruncatedBody(HTTPTruncatedBody(bytes: 9))),
      Toxic(name: "d", .httpTruncatedBody(HTTPTruncatedBody(bytes: 5))),
      Toxic(name: "e", .httpError(HTTPFailure(status: 500))), Toxic(name: "f", .httpError(HTTPFailure(status: 404))),
      Toxic(.latency(Latency(.seconds(9)))))
    let plan = rules.plan(method: "GET", target: "/", connection: 1)
    #expect(plan.delay == .seconds(3))
    #expect(plan.truncation == 5)
    #expect(plan.failure?.status == 500)
    #expect(plan.toxics == ["a", "b", "c", "d", "e", "f"])
  }
}
