#if Hub
    import CoreMetrics
    import EventLog
    import Events
    import Foundation
    import LogExchange
    import TestSupport
    import Testing

    @testable import HubCarrier

    @Suite("Prometheus' text")
    struct PrometheusMetricsTests {
        private static let journal = JournalID(UUID(uuid: (1, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)))
        private static let replica = ReplicaID(publicKey: [UInt8](repeating: 7, count: 32))

        @Test("Counters, meters, gauges, recorders and timers have their types, names and values")
        func kinds() {
            let metrics = PrometheusMetrics(help: ["a.counter": "Counts \\ and\nmore."])
            CoreMetrics.Counter(label: "a.counter", factory: metrics).increment(by: 3)
            CoreMetrics.Counter(label: "a.counter", factory: metrics).increment()
            FloatingPointCounter(label: "a.seconds", factory: metrics).increment(by: 0.5)
            Meter(label: "a.meter", factory: metrics).set(2.5)
            let meter = Meter(label: "a.meter", factory: metrics)
            meter.increment(by: 2.0)
            meter.decrement()
            Recorder(label: "sizes", factory: metrics).record(7)
            Recorder(label: "sizes", factory: metrics).record(1)
            Gauge(label: "1-gauge", factory: metrics).record(-1)
            #expect(
                metrics.text == """
                    # TYPE _1_gauge gauge
                    _1_gauge -1
                    # HELP a_counter_total Counts \\\\ and\\nmore.
                    # TYPE a_counter_total counter
                    a_counter_total 4
                    # TYPE a_meter gauge
                    a_meter 3.5
                    # TYPE a_seconds_total counter
                    a_seconds_total 0.5
                    # TYPE sizes summary
                    sizes_sum 8
                    sizes_count 2

                    """)
        }

        @Test("A timer is a histogram in seconds, whose buckets add up")
        func histogram() {
            let metrics = PrometheusMetrics()
            let timer = CoreMetrics.Timer(label: "store", factory: metrics)
            timer.recordNanoseconds(500_000)
            timer.recordNanoseconds(3_000_000)
            timer.recordSeconds(100)
            let lines = metrics.text.split(separator: "\n")
            #expect(lines.first == "# TYPE store_seconds histogram")
            #expect(lines.contains("store_seconds_bucket{le=\"0.0005\"} 1"))
            #expect(lines.contains("store_seconds_bucket{le=\"0.0025\"} 1"))
            #expect(lines.contains("store_seconds_bucket{le=\"0.005\"} 2"))
            #expect(lines.contains("store_seconds_bucket{le=\"10\"} 2"))
            #expect(lines.contains("store_seconds_bucket{le=\"+Inf\"} 3"))
            #expect(lines.suffix(2) == ["store_seconds_sum 100.0035", "store_seconds_count 3"])
        }

        @Test("Labels are escaped, and the series of a name are bounded")
        func labels() {
            let metrics = PrometheusMetrics(seriesOfName: 2)
            for value in ["a\"b\\c\nd", "two", "three", "two"] {
                CoreMetrics.Counter(label: "c", dimensions: [("a-b", value)], factory: metrics).increment()
            }
            #expect(
                metrics.text == """
                    # TYPE c_total counter
                    c_total{a_b="a\\"b\\\\c\\nd"} 1
                    c_total{a_b="two"} 2

                    """)
        }

        @Test("A name has one kind: another use of it is recorded nowhere")
        func kindsDiffer() {
            let metrics = PrometheusMetrics()
            Meter(label: "c", factory: metrics).set(1)
            CoreMetrics.Counter(label: "c", factory: metrics).increment()
            #expect(metrics.text == "# TYPE c gauge\nc 1\n")
        }

        @Test("A hub's events are counted by outcome and code, without journals or replicas")
        func events() throws {
            let metrics = PrometheusMetrics(help: HubMetrics.help)
            let hub = HubMetrics(factory: metrics)
            let (journal, replica) = (Self.journal, Self.replica)
            hub.note(.began(journal, replica))
            hub.note(.began(journal, replica))
            hub.note(.stored(journal, replica, commits: 3, seconds: 0.002))
            hub.note(.stored(journal, replica, commits: 0, seconds: 0.002))
            hub.note(.refused(journal, replica, code: "rejected"))
            hub.note(.repeated(journal, replica))
            hub.note(.ended(journal, replica, .cut))
            hub.note(.turnedAway(.refused))
            let lines = Set(metrics.text.split(separator: "\n"))
            for line in [
                "tripstore_hub_sessions 1", "tripstore_hub_commits_stored_total 3",
                "tripstore_hub_messages_stored_total 2",
                "tripstore_hub_messages_refused_total{code=\"rejected\"} 1", "tripstore_hub_messages_repeated_total 1",
                "tripstore_hub_sessions_ended_total{outcome=\"cut\"} 1",
                "tripstore_hub_sessions_ended_total{outcome=\"refused\"} 1",
                "tripstore_hub_sessions_ended_total{outcome=\"drained\"} 0",
                "tripstore_hub_store_duration_seconds_count 2",
            ] { #expect(lines.contains(Substring(line)), "\(line)") }
            #expect(!metrics.text.contains("\(journal)") && !metrics.text.contains("\(replica)"))
        }

        @Test(
            "Prometheus' own parser reads it",
            .enabled(
                if: Program.succeeds("python3", "-c", "import prometheus_client.parser"),
                "python3 with the package prometheus_client is not here (pip install prometheus_client)"))
        func parsed() throws {
            let metrics = PrometheusMetrics(help: HubMetrics.help)
            let hub = HubMetrics(factory: metrics)
            hub.note(.stored(Self.journal, Self.replica, commits: 3, seconds: 0.002))
            CoreMetrics.Counter(label: "c", dimensions: [("l", "a\"b\\c\nd é")], factory: metrics).increment()
            let script = """
                import sys
                from prometheus_client.parser import text_string_to_metric_families as parse
                for family in parse(sys.stdin.read()):
                    for sample in family.samples:
                        print(family.type, sample.name, sorted(sample.labels.items()), int(sample.value))
                """
            let output = try #require(
                try Program.run("python3", ["-c", script], input: Array(metrics.text.utf8)))
            #expect(output.code == 0, "\(output.complaint)")
            let lines = output.text.split(separator: "\n")
            #expect(lines.contains("counter c_total [('l', 'a\"b\\\\c\\nd é')] 1"))
            #expect(lines.contains("histogram tripstore_hub_store_duration_seconds_count [] 1"))
            #expect(lines.contains("counter tripstore_hub_commits_stored_total [] 3"))
        }
    }
#endif
