import Logging
import PolyclinicCore
import PolyclinicServing
import PolyclinicSystem

/// Errors, refusals and limits of requests.
extension RequestHandler {
  func refused(
    _ error: any Error, _ admission: AdmittedRequest, _ progress: RequestProgress
  ) -> Response {
    if API.owns(progress.path) {
      return ProblemDetails(error, words: progress.member?.phrasebook)?.response(admission)
        ?? failed(error, admission) { ProblemDetails(status: $0).response(admission) }
    }
    var page = ErrorPage(admission, progress.member?.phrasebook, back: progress.back)
    page.typed = progress.typed
    switch error {
    case let rejection as Rejection: return page.response(to: rejection)
    case let refusal as Refusal: return page.response(to: refusal)
    default: return failed(error, admission) { ErrorPage(admission).response($0) }
    }
  }

  private func failed(
    _ error: any Error, _ admission: AdmittedRequest, answering page: (Int) -> Response
  ) -> Response {
    let delay = RetryableFailure(error)
    CurrentRequest.name.thrown?(error)
    server.metrics.count(error)
    // Logs only the type of an unknown error, because its text may quote the user's input.
    let known =
      (error as? DatabaseError)?.metadata ?? delay?.metadata ?? (error as? AlteredRow)?.metadata
      ?? ["type": "\(type(of: error))"]
    admission.log(FailedRequest("a request failed", known, level: delay?.level ?? .error), to: log)
    guard let delay else { return page(500) }
    return page(delay.status)
      .adding(.init("Retry-After", String(delay.span.count)))
  }

  /// Returns the error page in place of a response that failed while it was being written.
  ///
  /// The failure is logged and counted like any other. The response itself was already counted with
  /// its original status.
  package func failure(_ error: any Error, of wire: WireRequest) -> WireResponse {
    let name = CurrentRequest.name
    name.id = wire.id
    defer { name.id = "" }
    return forStranger(wire) { admission in
      let response = failed(error, admission) { ErrorPage(admission).response($0) }
      server.metrics.count(status: response.status, since: Uptime.nanoseconds)
      return response
    }
  }

  /// Returns the framed response to a request whose visitor is not looked up.
  private func forStranger(
    _ wire: WireRequest, _ respond: (AdmittedRequest) -> Response
  ) -> WireResponse {
    server.database.sharingReads { snapshot in
      let admission = AdmittedRequest(incoming(wire, snapshot))
      let response = respond(admission)
      return Layout(admission: admission, member: nil, frames: frames).framed(response)
    }
  }

  package func refusal(_ status: Int, of wire: WireRequest) -> WireResponse {
    forStranger(wire) { refusal(status, of: wire, $0) }
  }

  private func refusal(
    _ status: Int, of wire: WireRequest, _ admission: AdmittedRequest
  ) -> Response {
    let page =
      API.owns(admission.path)
      ? ProblemDetails(status: status).response(admission) : ErrorPage(admission).response(status)
    let response = status == 500 ? page : page.adding(.init("Retry-After", "5"))
    server.metrics.count(status: status, since: Uptime.nanoseconds)
    switch status {
    case 429: server.metrics.count(.crowdTurnedAway)
    case 503: server.metrics.count(.lateTurnedAway)
    default:
      server.metrics.count(.fatalTurnedAway)
      admission.log(
        FailedRequest("ended two workers, not tried again", ["request": "\(wire.id)"]), to: log)
    }
    return response
  }

  package func note(_ reason: DeliveryFailure, of wire: WireRequest) {
    log.info(
      "an answer was broken off",
      metadata: ["reason": "\(reason.rawValue)", "request": "\(wire.id)"])
  }

  /// Frees caches, including decrypted user keys.
  package func giveMemoryBack() {
    keys.forget()
    server.database.giveMemoryBack()
  }

  /// Only forms with files may exceed ``RequestChecks/bodyLimit``.
  package func bodyLimit(of wire: WireRequest) -> Int {
    let files = wire.mediaType == "multipart/form-data" ? server.installation.largestFiles : 0
    return RequestChecks.bodyLimit + files
  }

  package func client(of wire: WireRequest) -> ThreadLimiter.Client {
    ThreadLimiter.Client(
      network: IPNetwork(of: wire.address).name,
      session: wire.client.cookie(Cookies.session))
  }

  package func isForPrograms(_ target: String) -> Bool {
    API.owns(PersonInCare.parts(of: target).path)
  }
}

extension RequestProgress {
  /// The texts of a form about a person in care, which a guardian who loses the right while the form
  /// is open can still copy; empty for other requests.
  fileprivate var typed: [(label: Text, value: String)] {
    guard incoming.inCare != nil, method == .post, let form, (try? checks.checkOrigin()) != nil,
      let sent = sent
        ?? (try? checks.body(limit: RequestChecks.bodyLimit))
        .flatMap({ Fields(urlencoded: $0) })
    else { return [] }
    return form.carried(sent).pairs.compactMap { pair in
      guard !pair.value.isEmpty, let label = form.label(of: pair.name) else { return nil }
      return (label, pair.value)
    }
  }
}

extension AlteredRow {
  fileprivate var metadata: Logger.Metadata {
    ["type": "AlteredRow", "person": "\(person)", "table": "\(table)"]
  }
}
