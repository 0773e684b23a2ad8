#if Hub
    internal import CoreMetrics
    import Synchronization

    /// A metric with one set of labels.
    protocol PrometheusSeries: AnyObject, Sendable {
        var samples: [PrometheusSample] { get }
    }

    /// A line of the text: what follows the metric's name, labels of its own, and the value.
    struct PrometheusSample {
        var suffix = ""
        var labels = ""
        let value: Double
    }

    final class PrometheusCounter: CounterHandler, PrometheusSeries {
        private let value = Atomic<Int64>(0)

        func increment(by amount: Int64) { value.add(max(amount, 0), ordering: .relaxed) }

        func reset() { value.store(0, ordering: .relaxed) }

        var samples: [PrometheusSample] { [PrometheusSample(value: Double(value.load(ordering: .relaxed)))] }
    }

    final class PrometheusFloatingPointCounter: FloatingPointCounterHandler, PrometheusSeries {
        private let value = Mutex(0.0)

        func increment(by amount: Double) { value.withLock { $0 += max(amount, 0) } }

        func reset() { value.withLock { $0 = 0 } }

        var samples: [PrometheusSample] { [PrometheusSample(value: value.withLock { $0 })] }
    }

    /// A value that rises and falls.
    final class PrometheusGauge: MeterHandler, RecorderHandler, PrometheusSeries {
        private let value = Mutex(0.0)

        func set(_ value: Int64) { set(Double(value)) }
        func set(_ value: Double) { self.value.withLock { $0 = value } }
        func increment(by amount: Double) { value.withLock { $0 += amount } }
        func decrement(by amount: Double) { value.withLock { $0 -= amount } }
        func record(_ value: Int64) { set(Double(value)) }
        func record(_ value: Double) { set(value) }

        var samples: [PrometheusSample] { [PrometheusSample(value: value.withLock { $0 })] }
    }

    /// The number and the sum of what was recorded.
    final class PrometheusSummary: RecorderHandler, PrometheusSeries {
        private let state = Mutex((count: 0.0, sum: 0.0))

        func record(_ value: Int64) { record(Double(value)) }

        func record(_ value: Double) {
            state.withLock { state in
                state.count += 1
                state.sum += value
            }
        }

        var samples: [PrometheusSample] {
            let state = state.withLock { $0 }
            return [
                PrometheusSample(suffix: "_sum", value: state.sum),
                PrometheusSample(suffix: "_count", value: state.count),
            ]
        }
    }

    /// Durations, counted by bounds in seconds.
    final class PrometheusHistogram: TimerHandler, PrometheusSeries {
        /// From what a cached write takes to what an overloaded disk does.
        static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

        private struct State {
            /// The last one is beyond all bounds.
            var counts = [UInt64](repeating: 0, count: PrometheusHistogram.bounds.count + 1)
            var sum = 0.0
        }

        private let state = Mutex(State())

        func recordNanoseconds(_ duration: Int64) {
            let seconds = Double(duration) / 1e9
            let index = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
            state.withLock { state in
                state.counts[index] += 1
                state.sum += seconds
            }
        }

        var samples: [PrometheusSample] {
            let state = state.withLock { $0 }
            var (samples, count): ([PrometheusSample], UInt64) = ([], 0)
            for (bound, number) in zip(Self.bounds + [.infinity], state.counts) {
                count += number
                samples.append(
                    PrometheusSample(suffix: "_bucket", labels: "le=\"\(bound.metricValue)\"", value: Double(count)))
            }
            samples.append(PrometheusSample(suffix: "_sum", value: state.sum))
            samples.append(PrometheusSample(suffix: "_count", value: Double(count)))
            return samples
        }
    }
#endif
