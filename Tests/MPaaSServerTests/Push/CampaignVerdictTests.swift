import MPaaSProtocol
import MPaaSPush
import Testing

@testable import MPaaSServer

@Suite("The meaning of an outcome for a campaign") struct CampaignVerdictTests {
  @Test("is an answer but where the provider has certainly not taken it")
  func verdicts() {
    func failed(_ status: Int, _ reason: String) -> CampaignVerdict {
      CampaignVerdict(.failed(PushFailure(status: status, reason: reason)))
    }
    #expect(CampaignVerdict(.accepted(id: "x")) == .ended(.accepted, status: 200, reason: nil))
    #expect(CampaignVerdict(.unknown("NoAnswer")) == .ended(.unknown, status: nil, reason: "NoAnswer"))
    #expect(CampaignVerdict(.unsent("Paused")) == .returned)
    #expect(CampaignVerdict(.unsent("Unreachable")) == .setback(reason: "Unreachable", retryAfter: nil))
    #expect(failed(503, "Shutdown") == .setback(reason: "Shutdown", retryAfter: nil))
    #expect(failed(0, "RefusedStream") == .setback(reason: "RefusedStream", retryAfter: nil))
    #expect(
      failed(429, "TooManyProviderTokenUpdates") == .setback(reason: "TooManyProviderTokenUpdates", retryAfter: nil))
    #expect(failed(429, "QUOTA_EXCEEDED") == .setback(reason: "QUOTA_EXCEEDED", retryAfter: nil))
    #expect(failed(429, "TooManyRequests") == .busy(retryAfter: nil))
    for (status, reason) in [
      (500, "InternalServerError"), (400, "BadDeviceToken"), (410, "Unregistered"), (404, "UNREGISTERED"),
      (403, "SENDER_ID_MISMATCH"), (400, "DeviceTokenNotForTopic"),
    ] {
      #expect(failed(status, reason) == .ended(.failed, status: status, reason: reason))
    }
    for (status, reason) in [
      (403, "InvalidProviderToken"), (403, "ExpiredProviderToken"), (400, "TopicDisallowed"), (401, "UNAUTHENTICATED"),
      (403, "PERMISSION_DENIED"),
    ] {
      #expect(failed(status, reason) == .stopped(reason: reason))
    }
    var failure = PushFailure(status: 503, reason: "x")
    failure.retryAfter = 9
    #expect(CampaignVerdict(.failed(failure)) == .setback(reason: "x", retryAfter: 9))
  }
}
