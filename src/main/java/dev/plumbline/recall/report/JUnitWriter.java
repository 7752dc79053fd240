package dev.plumbline.recall.report;

import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The XML format that continuous integration servers read test results in, as Ant's JUnit task first wrote it. */
final class JUnitWriter {
    private static final double MILLIS = 1000;

    /** How a case ended. */
    enum Kind {
        PASSED,
        FAILURE,
        ERROR,
        SKIPPED
    }

    /**
     * A test case.
     *
     * @param type of a failure or error
     * @param message why it did not pass
     * @param details more about that; may be empty
     */
    record Case(String name, double millis, Kind kind, String type, String message, String details) {
        static Case passed(String name, double millis) {
            return new Case(name, millis, Kind.PASSED, "", "", "");
        }

        static Case skipped(String name, double millis, String message) {
            return new Case(name, millis, Kind.SKIPPED, "", message, "");
        }
    }

    /** A test suite. */
    record TestSuite(String name, List<Case> cases) {
        long count(Kind kind) {
            return cases.stream().filter(one -> one.kind() == kind).count();
        }

        double millis() {
            return cases.stream()
                    .mapToDouble(Case::millis)
                    .filter(Double::isFinite)
                    .sum();
        }
    }

    private final String name;
    private final Instant at;
    private final Map<String, String> properties;
    private final List<TestSuite> suites = new ArrayList<>();

    /**
     * Begins a report.
     *
     * @param name of everything
     * @param at when the tests were run
     * @param properties of every suite
     */
    JUnitWriter(String name, Instant at, Map<String, String> properties) {
        this.name = name;
        this.at = at;
        this.properties = properties;
    }

    void add(TestSuite suite) {
        suites.add(suite);
    }

    String render() {
        StringWriter out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuites");
            attribute(xml, "name", name);
            counts(xml, suites);
            for (TestSuite suite : suites) {
                write(xml, suite);
            }
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("a text in memory takes all that is written", e);
        }
        return out + "\n";
    }

    private void write(XMLStreamWriter xml, TestSuite suite) throws XMLStreamException {
        xml.writeCharacters("\n  ");
        xml.writeStartElement("testsuite");
        attribute(xml, "name", suite.name());
        counts(xml, List.of(suite));
        if (at != null) {
            attribute(xml, "timestamp", at.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        xml.writeStartElement("properties");
        for (Map.Entry<String, String> property : properties.entrySet()) {
            xml.writeEmptyElement("property");
            attribute(xml, "name", property.getKey());
            attribute(xml, "value", property.getValue());
        }
        xml.writeEndElement();
        for (Case one : suite.cases()) {
            write(xml, suite, one);
        }
        xml.writeCharacters("\n  ");
        xml.writeEndElement();
    }

    private static void write(XMLStreamWriter xml, TestSuite suite, Case one) throws XMLStreamException {
        xml.writeCharacters("\n    ");
        xml.writeStartElement("testcase");
        attribute(xml, "name", one.name());
        attribute(xml, "classname", suite.name());
        attribute(xml, "time", seconds(one.millis()));
        if (one.kind() != Kind.PASSED) {
            xml.writeStartElement(RecordJson.word(one.kind()));
            attribute(xml, "message", one.message());
            if (one.kind() != Kind.SKIPPED) {
                attribute(xml, "type", one.type());
            }
            xml.writeCharacters(XmlText.of(one.details()));
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private static void counts(XMLStreamWriter xml, List<TestSuite> suites) throws XMLStreamException {
        attribute(
                xml,
                "tests",
                String.valueOf(
                        suites.stream().mapToLong(suite -> suite.cases().size()).sum()));
        attribute(xml, "failures", count(suites, Kind.FAILURE));
        attribute(xml, "errors", count(suites, Kind.ERROR));
        attribute(xml, "skipped", count(suites, Kind.SKIPPED));
        attribute(
                xml,
                "time",
                seconds(suites.stream().mapToDouble(TestSuite::millis).sum()));
    }

    private static String count(List<TestSuite> suites, Kind kind) {
        return String.valueOf(
                suites.stream().mapToLong(suite -> suite.count(kind)).sum());
    }

    private static void attribute(XMLStreamWriter xml, String name, String value) throws XMLStreamException {
        xml.writeAttribute(name, XmlText.of(value));
    }

    private static String seconds(double millis) {
        return String.format(Locale.ROOT, "%.3f", Double.isFinite(millis) ? millis / MILLIS : 0);
    }
}
