import Glibc

// A decoder for pictures from strangers. It reads one input and writes frames; the caller takes
// any end but status 0 for an input that cannot be read.

private func frames() -> Frames? {
  do throws(Refusal) {
    guard let input = try Input.read() else { return nil }
    var answer = try Answer()
    try answer.add(input)
    return answer.frames
  } catch {
    var frames = Frames()
    frames.append(.failure, Array(error.rawValue.utf8))
    return frames
  }
}

guard let frames = frames(), frames.write() else { exit(2) }
