"""The conformance kit: cases for programs that read or check records, the protocol to ask them, and the results."""
