package dev.plumbline.recall.report;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** JUnit XML as a continuous integration server reads it: parsed, and held to the schema. */
record JUnitDocument(Document document) {

    /** Reads a document; fails if it is not well-formed or not by the schema. */
    static JUnitDocument parse(String xml) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setNamespaceAware(true);
            Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
            SchemaFactory.newDefaultInstance()
                    .newSchema(new StreamSource(JUnitDocument.class.getResourceAsStream("/junit.xsd")))
                    .newValidator()
                    .validate(new DOMSource(document));
            return new JUnitDocument(document);
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new AssertionError("no JUnit XML: " + e.getMessage(), e);
        }
    }

    List<String> suites() {
        return elements("testsuite").stream()
                .map(suite -> suite.getAttribute("name"))
                .toList();
    }

    List<Element> cases(String suite) {
        return elements("testcase").stream()
                .filter(one -> one.getAttribute("classname").equals(suite))
                .toList();
    }

    /** Types of all failures or errors. */
    List<String> types(String element) {
        return elements(element).stream().map(one -> one.getAttribute("type")).toList();
    }

    int count(String element) {
        return elements(element).size();
    }

    /** Number that the root says of all. */
    int total(String attribute) {
        return Integer.parseInt(document.getDocumentElement().getAttribute(attribute));
    }

    /** Text of the first element of a name. */
    String text(String element) {
        return elements(element).get(0).getTextContent();
    }

    private List<Element> elements(String name) {
        NodeList found = document.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }
}
