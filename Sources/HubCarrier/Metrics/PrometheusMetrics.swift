#if Hub
    public import CoreMetrics
    import Synchronization

    /// A backend of swift-metrics that holds every metric in memory, and writes them in Prometheus' text format 0.0.4.
    ///
    /// A counter `a.b` is `a_b_total`, a timer `a.b` the histogram `a_b_seconds`, a meter or gauge `a_b`, and another recorder the summary
    /// `a_b`. Series beyond a number for each name are not recorded, so that labels cannot fill the memory.
    public final class PrometheusMetrics: MetricsFactory, Sendable {
        private struct Key: Hashable {
            let labels: [String]

            init(_ dimensions: [(String, String)]) { labels = dimensions.flatMap { [$0.0, $0.1] } }
        }

        private struct Family {
            let kind: PrometheusKind
            var series: [Key: (labels: String, series: any PrometheusSeries)] = [:]
        }

        private let seriesOfName: Int
        private let help: [String: String]
        private let families = Mutex<[String: Family]>([:])

        /// `help` describes metrics by the labels that swift-metrics knows them by.
        public init(help: [String: String] = [:], seriesOfName: Int = 100) {
            self.help = Dictionary(help.map { ($0.key.metricName, $0.value) }) { first, _ in first }
            self.seriesOfName = seriesOfName
        }

        /// All metrics, by name.
        public var text: String {
            let families = families.withLock { $0 }
            var text = ""
            for (name, family) in families.sorted(by: { $0.key < $1.key }) {
                let exported = family.kind.exported(name)
                if let help = help[name] { text += "# HELP \(exported) \(help.escapedHelp)\n" }
                text += "# TYPE \(exported) \(family.kind.rawValue)\n"
                for (labels, series) in family.series.values.sorted(by: { $0.labels < $1.labels }) {
                    for sample in series.samples {
                        let all = [labels, sample.labels].filter { !$0.isEmpty }.joined(separator: ",")
                        let braces = all.isEmpty ? "" : "{\(all)}"
                        text += "\(exported)\(sample.suffix)\(braces) \(sample.value.metricValue)\n"
                    }
                }
            }
            return text
        }

        // MARK: Making

        private func series<Series: PrometheusSeries>(
            _ label: String, _ dimensions: [(String, String)], _ kind: PrometheusKind, _ make: () -> Series
        ) -> Series {
            let (name, key) = (label.metricName, Key(dimensions))
            return families.withLock { families in
                var family = families[name] ?? Family(kind: kind)
                if let found = family.series[key]?.series as? Series, family.kind == kind { return found }
                let series = make()
                // A name has one kind: what uses it as another is recorded nowhere.
                guard family.kind == kind, family.series.count < seriesOfName else { return series }
                let labels = dimensions.map { "\($0.0.labelName)=\"\($0.1.escapedLabel)\"" }.joined(separator: ",")
                family.series[key] = (labels, series)
                families[name] = family
                return series
            }
        }

        public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
            series(label, dimensions, .counter) { PrometheusCounter() }
        }

        public func makeFloatingPointCounter(
            label: String, dimensions: [(String, String)]
        ) -> any FloatingPointCounterHandler {
            series(label, dimensions, .counter) { PrometheusFloatingPointCounter() }
        }

        public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
            series(label, dimensions, .gauge) { PrometheusGauge() }
        }

        public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler
        {
            if aggregate { return series(label, dimensions, .summary) { PrometheusSummary() } }
            return series(label, dimensions, .gauge) { PrometheusGauge() }
        }

        public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
            series(label, dimensions, .histogram) { PrometheusHistogram() }
        }

        // A series stays: one that another part of the program still uses must not vanish, and their number is bounded.
        public func destroyCounter(_ handler: any CounterHandler) {}
        public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
        public func destroyMeter(_ handler: any MeterHandler) {}
        public func destroyRecorder(_ handler: any RecorderHandler) {}
        public func destroyTimer(_ handler: any TimerHandler) {}
    }

    /// What Prometheus calls a metric.
    enum PrometheusKind: String {
        case counter, gauge, histogram, summary

        func exported(_ name: String) -> String {
            switch self {
            case .counter: name.hasSuffix("_total") ? name : "\(name)_total"
            case .histogram: "\(name)_seconds"
            case .gauge, .summary: name
            }
        }
    }
#endif
