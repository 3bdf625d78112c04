import MPaaSLock
import MPaaSMock
import MPaaSPact
import MPaaSSupport

/// A contract as a source of answers, which knows the interactions that were asked for.
final class PactSource: MockSource {
  let name = "pact"
  private let mock: Lock<PactMock>

  init(_ pact: Pact, seed: UInt64?) { mock = Lock(PactMock([pact], seed: seed)) }

  /// Tells generators the address of the server.
  func serve(at url: String) { mock.withLock { $0.url = url } }

  /// Adds the interactions that were asked for to the contracts of a folder.
  ///
  /// - Throws: `PactError` where one is there already and differs; `FileError` where a file cannot be written.
  func write(to folder: String) throws -> WrittenPacts {
    let (made, missing) = mock.withLock { mock in (mock.exercised, mock.missing.map { mock[$0].description }) }
    let files = try made.map { pact in
      WrittenPacts.File(
        file: try PactFolder(folder).add(pact), consumer: pact.consumer, provider: pact.provider,
        interactions: pact.interactions.count)
    }
    return WrittenPacts(pacts: files, missing: missing)
  }

  func answer(_ request: MockRequest, at time: Double) -> MockOutcome {
    var fields: [PactField] = []
    for header in request.headers {
      if let index = fields.firstIndex(where: { $0.name.lowercased() == header.name.lowercased() }) {
        fields[index].values.append(header.value)
      } else {
        fields.append(PactField(header.name, [header.value]))
      }
    }
    let query = request.query.map(String.init)
    var asked = PactRequest(
      method: request.method, path: String(request.path), query: query.map(QueryText.fields) ?? [], headers: fields,
      body: PactBody(request.body))
    asked.queryText = query
    let plan = asked
    return mock.withLock { mock in
      do throws(PactError) {
        let answer = try mock.answer(to: plan, now: Int(time * 1000))
        return outcome(of: answer, in: mock)
      } catch {
        let body = "\(error.diagnostic.id.name): \(error.diagnostic.values)\n"
        return .answer(MockAnswer(500, body: Array(body.utf8)), by: MockOrigin(name, id: error.diagnostic.id.name))
      }
    }
  }

  private func outcome(of answer: PactMock.Answer, in mock: PactMock) -> MockOutcome {
    switch answer {
    case .response(let response, let interaction):
      let headers = response.headers.flatMap { field in field.values.map { (name: field.name, value: $0) } }
      return .answer(
        MockAnswer(response.status, headers: headers, body: response.body.bytes), by: origin(interaction, in: mock))
    case .mismatch(let near):
      return .none(
        near.map { near in
          let reasons = near.mismatches.map { mismatch in
            let place = [mismatch.part.rawValue, mismatch.path].filter { !$0.isEmpty }.joined(separator: " ")
            return "\(place): \(mismatch.reason.rawValue)"
          }
          // The more differs, the farther; never as far as what has another path.
          let count = Double(near.mismatches.count)
          return MockMiss(origin(near.interaction, in: mock), distance: count / (count + 4), reasons: reasons)
        })
    case .unexpected: return .none([])
    }
  }

  private func origin(_ interaction: PactMock.Interaction, in mock: PactMock) -> MockOrigin {
    MockOrigin(name, id: mock[interaction].description, name: mock.pacts[interaction.pact].consumer)
  }
}
