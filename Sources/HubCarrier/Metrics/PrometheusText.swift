#if Hub
    extension String {
        /// The name of a metric: other characters than letters, digits and "_" become "_".
        var metricName: String { replacingInvalid { $0 == "_" || $0 == ":" } }

        var labelName: String { replacingInvalid { $0 == "_" } }

        private func replacingInvalid(_ allowed: (Character) -> Bool) -> String {
            let name = String(map { $0.isASCII && ($0.isLetter || $0.isNumber) || allowed($0) ? $0 : "_" })
            return name.first?.isNumber == true ? "_\(name)" : name
        }

        /// A label's value between quotes.
        var escapedLabel: String { escaped(quotes: true) }

        var escapedHelp: String { escaped(quotes: false) }

        private func escaped(quotes: Bool) -> String {
            var text = ""
            for scalar in unicodeScalars {
                switch scalar {
                case "\\": text += "\\\\"
                case "\n": text += "\\n"
                case "\"" where quotes: text += "\\\""
                default: text.unicodeScalars.append(scalar)
                }
            }
            return text
        }
    }

    extension Double {
        /// As Prometheus writes numbers.
        var metricValue: String {
            if isNaN { return "NaN" }
            if isInfinite { return self > 0 ? "+Inf" : "-Inf" }
            return self == rounded() && magnitude < 1e15 ? "\(Int64(self))" : "\(self)"
        }
    }
#endif
