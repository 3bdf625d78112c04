import MPaaSPush
import NIOCore
import NIOHPACK

/// One provider's form of requests, and the meaning of its answers.
protocol PushProvider: Sendable {
  /// The fields of a job's request.
  func head(for job: PushJob, authority: String) throws(PushError) -> HPACKHeaders
  func body(for job: PushJob) -> ByteBuffer
  func verdict(on answer: PushAnswer) -> PushVerdict
  /// Gets a new credential after the provider found the last one too old.
  func renew() async throws(PushError)
}
