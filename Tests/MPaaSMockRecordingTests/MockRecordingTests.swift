import Foundation
import MPaaSHAR
import MPaaSMock
import MPaaSMockRecording
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Recordings of the mock") struct MockRecordingTests {
  @Test("are whole files after each exchange, without secrets, and answer what they recorded")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/traffic.har"
    let recording = try HARRecordingFile(path, version: "1")
    #expect(try HARFile(Bytes.mapping(path).array, file: path).entries.isEmpty)
    for number in 1...3 {
      let request = MockRequest(
        "POST", "/pets?token=s3cr3t", headers: [("Authorization", "Bearer s3cr3t-s3cr3t-s3cr3t")],
        body: Array("{\"n\":\(number)}".utf8))
      var answer = MockAnswer(201, headers: [("Content-Type", "application/json")], body: Array("[\(number)]".utf8))
      answer.reason = "Created"
      try recording.add(HARExchange(request, answer, at: 1_764_300_000, took: 12))
      let file = try HARFile(Bytes.mapping(path).array, file: path)
      #expect(file.entries.count == number && recording.count == number)
    }
    let bytes = try Bytes.mapping(path).array
    #expect(!String(decoding: bytes, as: UTF8.self).contains("s3cr3t"))
    #expect(FileStatus(path)?.permissions == 0o600)
    let source = HARSource(HARReplay(try HARFile(bytes, file: path)))
    let asked = MockRequest("POST", "/pets?token=other", body: Array("{\"n\":2}".utf8))
    guard case .answer(let answer, let origin) = source.answer(asked, at: 0) else {
      Issue.record("no answer")
      return
    }
    #expect(answer.status == 201 && answer.body == Array("[2]".utf8))
    #expect(origin == MockOrigin("har", id: "1", name: "http://localhost/pets?token=masked"))
    guard case .none = source.answer(MockRequest("GET", "/other"), at: 0) else {
      Issue.record("answered")
      return
    }
  }
}
