import Glibc

// A decoder for pictures from strangers. It reads one input and writes frames; the caller takes
// any end but status 0 for an input that cannot be read.

private func answer() throws -> Frames? {
  do {
    try Limits.apply()
    guard let input = try Input.read() else { return nil }
    var answer = try Answer()
    try answer.add(input)
    return answer.frames
  } catch let refusal as Refusal {
    return Frames(refusal)
  }
}

guard let frames = try? answer() else { exit(2) }
Limits.stopAnsweringSignals()
if !frames.write() { exit(1) }
